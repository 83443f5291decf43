/** Renders the pieces of a clip that do not exist yet. */

import { createReadStream } from 'node:fs';
import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { rendering } from '../../../media/rendering/ffmpeg-renderer.ts';
import type { RenderedPart, RenderIo } from '../../../media/rendering/port.ts';
import type { RenderedFile, RenderPlan } from '../../../media/rendering/render-plan.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import type { ClipFiles, PlannedFile } from '../records/clip-files.ts';
import type { PlannedInput } from './clip-step.ts';
import { durationOf } from './plan-clip.ts';

export interface RenderingPieces {
  readonly ids: PlannedInput;
  readonly planned: PlannedFile;
  readonly tenant: TenantId;
  readonly objects: MediaObjects;
  readonly files: ClipFiles;
  readonly usage: Usage;
  /** Creation time of the job. It decides the month in which the rendering is metered. */
  readonly created_at: string;
  readonly signal: AbortSignal;
}

/** @param reached called with the frames of the chunk that are done */
export async function ensureChunk(
  at: number,
  { ids, planned, files, usage, created_at, ...services }: RenderingPieces,
  reached: (frames: number) => void,
): Promise<void> {
  const { plan, chunks } = planned;
  const name = chunks[at]!;
  if (!(await files.hasPiece(ids, name))) {
    await withIo(plan, { ids, files, ...services }, async (io) => {
      const part = await rendering.renderChunk(plan, at, { ...io, reached });
      await files.writePiece(ids, name, bytesOf(part), services.signal);
    });
  }
  // Meter after storing, so that lost work is not charged. The piece was missing when the job was planned, and
  // no other job renders the clip. So a piece that exists was written by a crashed attempt. The use id counts
  // it once for each job.
  const use_id = `${ids.job_id}#${ids.video_clip_id}#${name}`;
  const quantity = durationOf(plan.chunks[at]!, plan);
  const { job_id } = ids;
  await usage.record({ use_id, meter: 'rendered_ms', quantity, at: created_at, job_id, by: null });
}

/** @param reached called with the milliseconds that are done */
export async function ensureSound(
  { ids, planned, files, ...services }: RenderingPieces,
  reached: (ms: number) => void,
): Promise<void> {
  const { plan, sound } = planned;
  if (await files.hasPiece(ids, sound)) return;
  await withIo(plan, { ids, files, ...services }, async (io) => {
    const part = await rendering.renderSound(plan, { ...io, reached });
    await files.writePiece(ids, sound, part && bytesOf(part), services.signal);
  });
}

const bytesOf = ({ path }: RenderedPart): AsyncIterable<Buffer> => createReadStream(path);

/** Opens all files of the plan while `work` runs. */
async function withIo(
  plan: RenderPlan,
  {
    ids,
    tenant,
    objects,
    files,
    signal,
  }: Pick<RenderingPieces, 'ids' | 'tenant' | 'objects' | 'files' | 'signal'>,
  work: (io: RenderIo) => Promise<void>,
): Promise<void> {
  const media = await requireSource(ids, { tenant, objects });
  const opened = async (file: RenderedFile | null, use: (media?: OpenMedia) => Promise<void>) =>
    file === null ? use() : withOpenMedia(await files.material(ids, file.key), use, signal);
  await inWorkFolder('render-clip', (folder) =>
    withOpenMedia(
      media,
      (source) =>
        opened(plan.overlay, (overlay) =>
          opened(plan.intro, (intro) =>
            opened(plan.outro, (outro) =>
              work({ tools: mediaTools, source, overlay, intro, outro, folder, signal }),
            ),
          ),
        ),
      signal,
    ),
  );
}
