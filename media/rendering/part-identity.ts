/** Returns texts that identify parts: all facts on which a part's bytes depend. Parts with equal texts are rendered once. Pure. */

import { defined, itemAt } from '../../shared/checked-access.ts';
import type { RenderPlan } from './render-plan.ts';

/** Must be increased with every change after which the same plan renders other bytes. */
const RENDERER = 1;

/** Includes only the frames, crops and subtitles of the chunk. So the identity does not depend on changes in other parts of the clip. */
export function chunkIdentity(plan: RenderPlan, at: number): string {
  const chunk = itemAt(plan.chunks, at);
  const { output } = plan;
  if (chunk.part !== 'clip') return text('picture', chunk, output, plan[chunk.part]);
  const { source, start_frame, overlay, framing, subtitles } = plan;
  const rate = output.frame_rate;
  const msAt = (frame: number) => ((frame - start_frame) * rate.den * 1000) / rate.num;
  const [start_ms, end_ms] = [msAt(chunk.start_frame), msAt(chunk.end_frame)];
  const offset = chunk.start_frame - start_frame;
  const crops = framing && { ...framing, points: pointsWithin(framing.points, start_ms, end_ms) };
  const own = subtitles && {
    fonts: subtitles.fonts,
    lines: linesWithin(subtitles.document, start_ms, end_ms),
  };
  // The position of the chunk in the clip matters only for subtitles, crops and moving overlays.
  const isTied = overlay?.duration_ms != null || crops !== null || own !== null;
  return text('picture', chunk, output, source, overlay, crops, own, isTied ? offset : null);
}

export function soundIdentity(plan: RenderPlan): string {
  const { source, start_frame, end_frame, intro, outro, loudness, frames, output } = plan;
  const { frame_rate, phase_us, audio_track, container } = source;
  const heard = { frame_rate, phase_us, audio_track, container };
  return text('sound', heard, start_frame, end_frame, intro, outro, loudness, frames, output.frame_rate);
}

const text = (...parts: readonly unknown[]) => JSON.stringify([RENDERER, ...parts], inOrder);

/** Sorts the members of objects, because a database does not keep their order. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns the points in the interval, and the nearest points before and after it, because the path is linear between points. */
function pointsWithin(
  points: NonNullable<RenderPlan['framing']>['points'],
  start_ms: number,
  end_ms: number,
) {
  const first = Math.max(
    0,
    points.findLastIndex(({ at_ms }) => at_ms <= start_ms),
  );
  const after = points.findIndex(({ at_ms }) => at_ms > end_ms);
  return points.slice(first, after < 0 ? points.length : after + 1);
}

/** Returns the head of the document, and the events in the interval. The 10 ms allow for rounding to hundredths of a second. */
function linesWithin(document: string, start_ms: number, end_ms: number): string[] {
  return document.split('\n').filter((line) => {
    const [, start, end] = /^Dialogue: \d+,([\d:.]+),([\d:.]+),/.exec(line) ?? [];
    return start === undefined || (msOf(start) <= end_ms + 10 && msOf(defined(end)) >= start_ms - 10);
  });
}

function msOf(time: string): number {
  const [h = 0, m = 0, s = 0] = time.split(':').map(Number);
  return ((h * 60 + m) * 60 + s) * 1000;
}
