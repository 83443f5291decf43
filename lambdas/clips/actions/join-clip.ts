import { captureStill } from '../../../media/ffmpeg/capture-still.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { joinClip as joinParts } from '../../../media/rendering/join-clip.ts';
import type { RenderPlan } from '../../../media/rendering/render-plan.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { RangeSource } from '../../../shared/media.ts';
import type { ClipFiles, ClipIds, PlannedFile } from '../records/clip-files.ts';
import type { ClipRender } from '../rules/clips.ts';
import { timeOf } from '../rules/frames.ts';
import type { PlannedInput } from './clip-step.ts';
import { durationOf } from './plan-clip.ts';

/**
 * Meters the copied chunks, which cost as much storage as others. Meters them once for each job, after the file is
 * stored. Encoded chunks are metered when they are rendered.
 */
export async function meterCopied(
  { job_id, video_clip_id }: PlannedInput,
  { plan, chunks }: PlannedFile,
  usage: Usage,
  at: string,
): Promise<void> {
  for (const [index, chunk] of plan.chunks.entries()) {
    if (chunk.how !== 'copy') continue;
    const use_id = `${job_id}#${video_clip_id}#${itemAt(chunks, index)}`;
    const quantity = durationOf(chunk, plan);
    await usage.record({ use_id, meter: 'rendered_ms', quantity, job_id, by: null, at });
  }
}

interface Joining {
  readonly files: ClipFiles;
  /** The source media. Chunks that are not encoded are copied from it. */
  readonly media: RangeSource;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called with the fraction of the file that is written, 0 to 1. */
  readonly reached: (fraction: number) => void;
}

/** Joins the pieces of the clip. A repeat writes the same bytes, or nothing if the file is complete. */
export async function joinClip(
  ids: ClipIds,
  { plan, about, chunks, sound }: PlannedFile,
  { files, media, now, signal, reached }: Joining,
): Promise<ClipRender> {
  const made = await files.facts(ids, about.file);
  if (made !== null) return made;
  const pieces = await Promise.all(
    chunks.map((name, at) => (itemAt(plan.chunks, at).how === 'copy' ? media : files.piece(ids, name))),
  );
  const parts = { chunks: pieces as RangeSource[], sound: await files.piece(ids, sound) };
  const joined = await joinParts(plan, parts, signal);
  const size_bytes = await files.writeClip(
    ids,
    about.file,
    counted(joined.bytes, joined.size_bytes, reached),
    signal,
  );
  const poster = await posterOf(plan, pieces as RangeSource[], signal);
  await files.writePoster(ids, about.file, poster);
  const render: ClipRender = {
    ...about,
    rendered_at: now().toISOString(),
    size_bytes,
    width: plan.output.width,
    height: plan.output.height,
    duration_ms: plan.duration_ms,
    frame_count: plan.frames,
    has_poster: true,
  };
  await files.writeFacts(ids, render);
  return render;
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
  reached: (fraction: number) => void,
): AsyncGenerator<Buffer> {
  let written = 0;
  for await (const piece of bytes) {
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    written += piece.byteLength;
    reached(written / Math.max(1, size));
  }
}

/** A picture after one third of the first chunk. Beginnings are often black, and an intro does not show the clip. */
async function posterOf(
  { chunks, output }: RenderPlan,
  pieces: readonly RangeSource[],
  signal: AbortSignal,
): Promise<Buffer> {
  const at = Math.max(
    0,
    chunks.findIndex(({ part }) => part === 'clip'),
  );
  const { how, start_frame, end_frame } = itemAt(chunks, at);
  const first = how === 'copy' ? start_frame : 0;
  const at_ms = timeOf(first + Math.floor((end_frame - start_frame) / 3), output.frame_rate);
  return withOpenMedia(
    itemAt(pieces, at),
    (media) => captureStill(mediaTools, media, { at_ms, is_upright: how !== 'copy' }, signal),
    signal,
  );
}
