/** Shots by comparing very small pictures of all frames. It runs in a deployment as well: the frames are decoded anyway. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { cutsIn, stepsOf } from './find-cuts.ts';
import { dissolvesIn } from './find-dissolves.ts';
import { fadesIn } from './find-fades.ts';
import { type Boundary, shotsEngine } from './port.ts';

export const frameDifferences = shotsEngine({
  name: 'frame-differences',
  runs: ['aws', 'local'],
  languages: 'any',
  settings: {},
  permissions: {},
  make: () => ({ boundaries }),
});

/** Frames between two boundaries that are one: what fades is also a step, at times. */
const SAME = 3;

export function boundaries(frames: readonly Frame[]): Boundary[] {
  if (frames.length < 2) return [];
  const fades = fadesIn(frames);
  const isFree = ({ frame }: Boundary) => fades.every((fade) => Math.abs(fade.frame - frame) > SAME);
  const cuts = cutsIn(frames, stepsOf(frames)).filter(isFree);
  const certain = [...fades, ...cuts].sort(byFrame);
  const fading = fades.flatMap(({ from, to }) => [from, to]);
  const taken = [...certain.map(({ frame }) => frame), ...fading];
  const dissolves = dissolvesIn(halved(frames), taken).filter(({ frame }) =>
    fades.every(({ from, to }) => frame < from || frame > to),
  );
  return [...certain, ...dissolves].sort(byFrame);
}

/** A quarter of the values, each the mean of four neighbours in the order of rows: dissolves need no more, and less is faster. */
const halved = (frames: readonly Frame[]): Frame[] =>
  frames.map(({ at_ms, planes }) => {
    const small = new Uint8Array(planes.length >> 2);
    for (let at = 0; at < small.length; at += 1) {
      const from = at << 2;
      small[at] = (planes[from]! + planes[from + 1]! + planes[from + 2]! + planes[from + 3]! + 2) >> 2;
    }
    return { at_ms, planes: small };
  });

const byFrame = (one: Boundary, other: Boundary) => one.frame - other.frame;
