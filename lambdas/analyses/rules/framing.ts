/** The spans that automatic framing follows: findings, overridden by the centers of interest that callers set. */
import { type AutocenterSpan, middleSpan } from '../../../media/framing/autocenter-spans.ts';
import { withCentersOfInterest } from '../../../media/framing/override-spans.ts';
import { Inconsistent } from '../../../shared/problems.ts';
import type { CenterOfInterest } from './analysis-types.ts';

/** The spans to follow; empty without findings and centers of interest. Without an analysis, the media counts as one shot. */
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

/** How far a side may lie outside of the picture: the rounding error of fractions. */
const SLACK = 1e-6;

/** Throws validation_failed if a box lacks a side, is empty, or exceeds the picture. */
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

function faultOf(member: 'width' | 'height', size: number | undefined, center: number) {
  if (size === undefined) return [];
  const pointer = `/${member}`;
  if (size === 0) return [{ pointer, code: 'too_small', detail: `${member} must be greater than 0.` }];
  const [start, end] = [center - size / 2, center + size / 2];
  if (start >= -SLACK && end <= 1 + SLACK) return [];
  const side = member === 'width' ? 'x' : 'y';
  const detail = `With ${side} ${center} and ${member} ${size}, the box reaches from ${rounded(start)} to ${rounded(end)}. It must stay within 0 and 1.`;
  return [{ pointer, code: 'too_large', detail }];
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
