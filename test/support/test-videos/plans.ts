/** Makes plans of test videos by seed: edited films, and moving subjects. */
import { type Random, seeded } from '../talk/random.ts';
import type { Course, TestPicture, TestScene, TestVideoPlan } from './plan.ts';

export type Size = Pick<TestVideoPlan, 'width' | 'height' | 'rate'>;

/** Common sizes and frame rates: wide and tall, odd sizes, film, television, the web. */
export const sizes: readonly Size[] = [
  { width: 320, height: 180, rate: '25' },
  { width: 426, height: 240, rate: '30000/1001' },
  { width: 180, height: 320, rate: '30' },
  { width: 320, height: 240, rate: '24' },
  { width: 321, height: 179, rate: '25' },
  { width: 320, height: 136, rate: '50' },
];

const kinds: readonly TestPicture['kind'][] = [
  ...(['testsrc2', 'gradients', 'cellauto', 'snow', 'mandelbrot', 'texture', 'bars', 'colour'] as const),
];

/** Cuts, dissolves, fades through black and white, flashes and pans, in shots of one to four seconds. */
export function editedFilm(
  seed: number,
  shots: number,
  size: Size = sizes[seed % sizes.length]!,
): TestVideoPlan {
  const random = seeded(seed);
  const rate = framesASecond(size);
  const scenes = Array.from({ length: shots }, (_, at): TestScene => {
    // Two scenes in a row have different kinds, because a cut between two colors of the same brightness is invisible.
    const kind = kinds[(seed + at * 3 + random.whole(2)) % kinds.length]!;
    const frames = Math.round(rate * random.between(1.2, 4));
    const change = random.between(0, 1);
    const length = Math.round(rate * random.between(0.3, 0.5));
    const isPanned = kind === 'mandelbrot' || kind === 'texture';
    return {
      picture: { kind, seed: seed * 100 + at },
      frames,
      ...(at > 0 && change < 0.15 && { begins: { as: 'dissolve', frames: length } }),
      ...(at > 0 &&
        change > 0.8 && { begins: { as: 'fade', through: random.pick(['black', 'white']), frames: length } }),
      ...(isPanned && { pan: { x: random.between(-0.3, 0.3), y: random.between(-0.1, 0.1) } }),
      ...(random.whole(5) === 0 && { flashes: [Math.round(frames * random.between(0.45, 0.55))] }),
      grain: random.whole(8),
    };
  });
  return { ...size, scenes };
}

/** The movement of a subject through its shot. */
export const motions = [
  'still',
  'linear',
  'sine',
  'stop and go',
  'leaving',
  'with the camera turning',
] as const;
export type Motion = (typeof motions)[number];

/** Shots with a subject that moves in one of these ways in front of a still background. */
export function movingSubjects(
  seed: number,
  kindsOfMotion: readonly Motion[] = motions,
  size: Size = sizes[seed % sizes.length]!,
): TestVideoPlan {
  const random = seeded(seed);
  const rate = framesASecond(size);
  const scenes = kindsOfMotion.map((motion, at): TestScene => {
    const frames = Math.round(rate * random.between(4, 7));
    const diameter = random.between(0.22, 0.34);
    const course = courseOf(motion, frames, rate, random);
    return {
      picture: { kind: at % 3 === 2 ? 'mandelbrot' : 'texture', seed: seed * 100 + at },
      frames,
      subjects: [
        {
          seed: seed * 10 + at,
          size: diameter,
          x: course,
          y: { through: [[0, random.between(0.35, 0.65)]] },
        },
      ],
      ...(motion === 'with the camera turning' && {
        pan: { x: random.pick([-1, 1]) * random.between(0.25, 0.4), y: 0 },
      }),
      grain: 2 + random.whole(6),
      flicker: random.between(0, 0.012),
    };
  });
  return { ...size, scenes };
}

/** At most as fast as a person crosses the picture: the whole width in three seconds. */
function courseOf(motion: Motion, frames: number, rate: number, random: Random): Course {
  const [left, right] = [random.between(0.15, 0.3), random.between(0.7, 0.85)];
  const [from, to] = random.whole(2) === 0 ? [left, right] : [right, left];
  const last = frames - 1;
  if (motion === 'still') return { through: [[0, from]] };
  if (motion === 'sine') {
    return {
      swing: {
        around: random.between(0.4, 0.6),
        by: random.between(0.12, 0.25),
        every_frames: Math.round(rate * 5),
      },
    };
  }
  if (motion === 'stop and go') {
    const middle = (from + to) / 2 + random.between(-0.1, 0.1);
    const at = (share: number) => Math.round(last * share);
    return {
      through: [
        [at(0.1), from],
        [at(0.3), middle],
        [at(0.75), middle],
        [at(0.95), to],
      ],
    };
  }
  if (motion === 'leaving')
    return {
      through: [
        [Math.round(last * 0.1), 0.5],
        [Math.round(last * 0.7), to > 0.5 ? 1.3 : -0.3],
      ],
    };
  return {
    through: [
      [0, from],
      [last, to],
    ],
  };
}

export function framesASecond({ rate }: Pick<TestVideoPlan, 'rate'>): number {
  const [count, seconds = 1] = rate.split('/').map(Number) as [number, number?];
  return count / seconds;
}
