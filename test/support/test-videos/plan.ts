/** The content of a test video as data. Times are in frames, places in fractions of the picture. */
export interface TestVideoPlan {
  readonly width: number;
  readonly height: number;
  /** Frames per second in the format of ffmpeg: `25`, `30000/1001`. */
  readonly rate: string;
  readonly scenes: readonly TestScene[];
}

export interface TestScene {
  readonly picture: TestPicture;
  /** The visible length, including the frames that it shares with other scenes in dissolves. */
  readonly frames: number;
  /** The transition from the previous scene. Default: a cut. */
  readonly begins?: Beginning;
  /** The distance that the camera pans during the scene, in widths and heights of the picture: −0.5 to 0.5. */
  readonly pan?: { readonly x: number; readonly y: number };
  /** Drawn over the picture in this order. */
  readonly subjects?: readonly TestSubject[];
  /** One line of text in the middle, on a dark plate. */
  readonly title?: string;
  /** Frames of the scene that are white, like camera flashes. */
  readonly flashes?: readonly number[];
  /** The strength of the grain: 0 to 100. A camera at night has 8. */
  readonly grain?: number;
  /** The amplitude of the flicker, as under bad lamps: 0 to 1. 0.05 is visible. */
  readonly flicker?: number;
}

type Beginning =
  | { readonly as: 'dissolve'; readonly frames: number }
  /** The previous scene fades out in this many frames, and this one fades in as long. */
  | { readonly as: 'fade'; readonly through: 'black' | 'white'; readonly frames: number };

/** The background. Only `testsrc2`, `gradients`, `cellauto` and `snow` move. */
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
}

/** A bright disc with a pattern, which attracts attention. */
export interface TestSubject {
  readonly seed: number;
  /** The diameter as a share of the shorter side of the picture. */
  readonly size: number;
  /** The center. Below 0 or above 1, the disc leaves the picture. */
  readonly x: Course;
  readonly y: Course;
}

/** A coordinate over the frames of a scene. */
export type Course =
  /** Linear between the given frames, constant before the first and after the last. */
  | { readonly through: readonly (readonly [frame: number, at: number])[] }
  | { readonly swing: { readonly around: number; readonly by: number; readonly every_frames: number } };

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

/** Returns the same as an expression of ffmpeg in `n`, the frame. */
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
