/** What a test video is to show, as data. Times are frames, places fractions of the picture. */

export interface TestVideoPlan {
  readonly width: number;
  readonly height: number;
  /** Frames a second as ffmpeg writes them: `25`, `30000/1001`. */
  readonly rate: string;
  readonly scenes: readonly TestScene[];
  readonly tones?: readonly TestTone[];
}

export interface TestScene {
  readonly picture: TestPicture;
  /** How long it is seen, what it shares with the scenes beside it in dissolves included. */
  readonly frames: number;
  /** How it takes over from the scene before; a cut without. */
  readonly begins?: Beginning;
  /** How far the camera turns from the first frame to the last, in widths and heights of the picture; −0.5 to 0.5. */
  readonly pan?: { readonly x: number; readonly y: number };
  /** Drawn over the picture and over each other, in this order. */
  readonly subjects?: readonly TestSubject[];
  readonly title?: TestTitle;
  /** Frames of the scene that are white, as photographers' flashes make them. */
  readonly flashes?: readonly number[];
  /** How strong the grain is: 0 to 100, 8 is that of a camera at night. */
  readonly grain?: number;
  /** How far the brightness swings from frame to frame, as under bad lamps: 0 to 1, 0.05 is visible. */
  readonly flicker?: number;
}

export type Beginning =
  | { readonly as: 'dissolve'; readonly frames: number }
  /** The scene before loses its light in so many frames, and this one takes as many to get it. */
  | { readonly as: 'fade'; readonly through: 'black' | 'white'; readonly frames: number };

/** What fills the picture. All but `testsrc2`, `gradients`, `cellauto` and `snow` stand still; `still` holds those too. */
export interface TestPicture {
  readonly kind:
    | 'testsrc2'
    | 'gradients'
    | 'cellauto'
    | 'snow'
    | 'mandelbrot'
    | 'texture'
    | 'bars'
    | 'colour';
  readonly seed: number;
  readonly still?: boolean;
}

/** A bright patterned disc: what anyone would look at. */
export interface TestSubject {
  readonly seed: number;
  /** Diameter, as a share of the picture's shorter side. */
  readonly size: number;
  /** Its centre; beyond 0 and 1 it leaves the picture. */
  readonly x: Course;
  readonly y: Course;
}

/** One coordinate over the frames of a scene. */
export type Course =
  /** Straight between the given frames, still before the first and after the last. */
  | { readonly through: readonly (readonly [frame: number, at: number])[] }
  | { readonly swing: { readonly around: number; readonly by: number; readonly every_frames: number } };

export interface TestTitle {
  /** Lines. */
  readonly text: string;
  /** The plate that the text stands on, filled with a dark colour; without, the picture lies behind it. */
  readonly has_plate: boolean;
  readonly at: 'middle' | 'lower third';
  /** First frame with it, and first without, of the scene; all of it when absent. */
  readonly start_frame?: number;
  readonly end_frame?: number;
}

export interface TestTone {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly hz: number;
}

/** Where the course is at a frame. */
export function courseAt(course: Course, frame: number): number {
  if ('swing' in course) {
    const { around, by, every_frames } = course.swing;
    return around + by * Math.sin((2 * Math.PI * frame) / every_frames);
  }
  const { through } = course;
  const next = through.findIndex(([at]) => at > frame);
  if (next === 0) return through[0]![1];
  if (next === -1) return through.at(-1)![1];
  const [from, start] = through[next - 1]!;
  const [to, end] = through[next]!;
  return start + ((end - start) * (frame - from)) / (to - from);
}

/** The same as an expression of ffmpeg in `n`, the frame. */
export function courseExpression(course: Course): string {
  if ('swing' in course) {
    const { around, by, every_frames } = course.swing;
    return `${around}+${by}*sin(2*PI*n/${every_frames})`;
  }
  const { through } = course;
  const pieces = through.slice(1).map(([to, end], at) => {
    const [from, start] = through[at]!;
    return [to, `${start}+(${end - start})*(n-${from})/${to - from}`] as const;
  });
  const later = pieces.reduceRight(
    (rest, [to, piece]) => `if(lt(n,${to}),${piece},${rest})`,
    `${through.at(-1)![1]}`,
  );
  return `if(lt(n,${through[0]![0]}),${through[0]![1]},${later})`;
}
