/** Detects shots by comparing small pictures of all frames, which other analyses decode anyway. `ENGINE_SHOTS=frame-differences` */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { findCuts } from './find-cuts.ts';
import { findDissolves } from './find-dissolves.ts';
import { findFades } from './find-fades.ts';
import { type Boundary, shotsEngine } from './port.ts';

export const frameDifferences = shotsEngine({
  name: 'frame-differences',
  runs: ['aws', 'local'],
  make: () => ({ boundaries: findBoundaries }),
});

/** A cut within this many frames of a fade counts as a part of the fade. */
const MAX_DISTANCE = 3;

export function findBoundaries(frames: readonly Frame[]): Boundary[] {
  if (frames.length < 2) return [];
  const fades = findFades(frames);
  const isOutsideFades = ({ frame }: Boundary) =>
    fades.every((fade) => Math.abs(fade.frame - frame) > MAX_DISTANCE);
  const cuts = findCuts(frames).filter(isOutsideFades);
  const certain = [...fades, ...cuts].sort(byFrame);
  const fading = fades.flatMap(({ from, to }) => [from, to]);
  const taken = [...certain.map(({ frame }) => frame), ...fading];
  const dissolves = findDissolves(halveFrames(frames), taken).filter(({ frame }) =>
    fades.every(({ from, to }) => frame < from || frame > to),
  );
  return [...certain, ...dissolves].sort(byFrame);
}

/** Replaces each group of four neighbors in a row by their mean. The precision is enough for dissolves, and comparisons are faster. */
const halveFrames = (frames: readonly Frame[]): Frame[] =>
  frames.map(({ at_ms, planes }) => {
    const small = new Uint8Array(planes.length >> 2);
    for (let at = 0; at < small.length; at += 1) {
      const from = at << 2;
      small[at] = (planes[from]! + planes[from + 1]! + planes[from + 2]! + planes[from + 3]! + 2) >> 2;
    }
    return { at_ms, planes: small };
  });

const byFrame = (one: Boundary, other: Boundary) => one.frame - other.frame;
