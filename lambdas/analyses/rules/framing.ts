/** What frames follow: what analyses found, with the centers of interest that people set. */

import { type AutocenterSpan, middleSpan } from '../../../media/framing/autocenter-spans.ts';
import { withCentersOfInterest } from '../../../media/framing/override-spans.ts';
import { Inconsistent } from '../../../shared/problems.ts';
import type { CenterOfInterest } from './analysis-types.ts';

/** Empty where nothing was found and nobody set anything. Before the analysis has run the whole media is one shot. */
export function framedSpans(
  found: readonly AutocenterSpan[],
  centers: readonly CenterOfInterest[],
  duration_ms: number | null,
): AutocenterSpan[] {
  const nothingFound = found.length === 0 && centers.length > 0 && duration_ms !== null;
  return withCentersOfInterest(
    nothingFound ? [middleSpan({ start_ms: 0, end_ms: duration_ms })] : found,
    centers,
  );
}

type GivenBox = { [Member in 'x' | 'y']: number } & { [Member in 'width' | 'height']?: number | undefined };

/** How far a side may lie outside of the picture: what fractions with few digits add up to. */
const SLACK = 1e-6;

/** Throws validation_failed where a box is half given, empty, or reaches out of the picture. */
export function requireBox({ x, y, width, height }: GivenBox): void {
  if ((width === undefined) !== (height === undefined)) {
    const member = width === undefined ? 'width' : 'height';
    throw new Inconsistent([
      { pointer: `/${member}`, code: 'required', detail: 'width and height go together.' },
    ]);
  }
  const faults = [...faultOf('width', width, x), ...faultOf('height', height, y)];
  if (faults.length > 0) throw new Inconsistent(faults);
}

function faultOf(member: 'width' | 'height', size: number | undefined, centre: number) {
  if (size === undefined) return [];
  const pointer = `/${member}`;
  if (size === 0) return [{ pointer, code: 'too_small', detail: `A ${member} of 0 shows nothing.` }];
  const [start, end] = [centre - size / 2, centre + size / 2];
  if (start >= -SLACK && end <= 1 + SLACK) return [];
  const side = member === 'width' ? 'x' : 'y';
  const detail = `With ${side} ${centre} and ${member} ${size} it reaches from ${told(start)} to ${told(end)}, out of the picture.`;
  return [{ pointer, code: 'too_large', detail }];
}

const told = (value: number) => Math.round(value * 1000) / 1000;
