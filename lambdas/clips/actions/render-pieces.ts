/** Renders pieces of a clip, and never one that is there. */
import { createReadStream } from 'node:fs';
import { type OpenMedia, reading } from '../../../engines/media/range-reader.ts';
import type { RenderedFile, RenderPlan } from '../../../engines/rendering/plan.ts';
import type { RenderedPart, RenderIo } from '../../../engines/rendering/port.ts';
import { rendering } from '../../../engines/rendering/rendering.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import { mediaUnreadable } from '../../../platform/shared/job-errors.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { type MediaObjects, sourceKey } from '../../../platform/store/objects.ts';
import type { Usage } from '../../../platform/usage/records.ts';
import type { ClipFiles, PlannedFile } from '../records/clip-files.ts';
import type { PlannedInput } from './job.ts';
import { durationOf } from './plan-clip.ts';

export interface RenderingPieces {
  readonly ids: PlannedInput;
  readonly planned: PlannedFile;
  readonly tenant: TenantId;
  readonly objects: MediaObjects;
  readonly files: ClipFiles;
  readonly usage: Usage;
  /** When the job was created, to whose month counts what is rendered. */
  readonly created_at: string;
  readonly signal: AbortSignal;
}

/** @param reached hears how many frames of the chunk are done */
export async function ensureChunk(
  at: number,
  { ids, planned, files, usage, created_at, ...services }: RenderingPieces,
  reached: (frames: number) => void,
): Promise<void> {
  const { plan, chunks } = planned;
  const name = chunks[at]!;
  if (await files.hasPiece(ids, name)) return;
  await withIo(plan, ids, services, async (io) => {
    const part = await rendering.renderChunk(plan, at, { ...io, reached });
    // Before it is kept: what is found later is not known to have been rendered for this job. Once a job, however often it is tried.
    const use_id = `${ids.job_id}#${ids.video_clip_id}#${name}`;
    const quantity = durationOf(plan.chunks[at]!, plan);
    await usage.record({ use_id, meter: 'rendered_ms', quantity, at: created_at });
    await files.writePiece(ids, name, bytesOf(part), services.signal);
  });
}

/** @param reached hears how many milliseconds are done */
export async function ensureSound(
  { ids, planned, files, ...services }: RenderingPieces,
  reached: (ms: number) => void,
): Promise<void> {
  const { plan, sound } = planned;
  if (await files.hasPiece(ids, sound)) return;
  await withIo(plan, ids, services, async (io) => {
    const part = await rendering.renderSound(plan, { ...io, reached });
    await files.writePiece(ids, sound, part && bytesOf(part), services.signal);
  });
}

const bytesOf = ({ path }: RenderedPart): AsyncIterable<Buffer> => createReadStream(path);

/** Opens all that the plan reads, for as long as `work` goes on. */
async function withIo(
  plan: RenderPlan,
  { asset_id }: PlannedInput,
  { tenant, objects, signal }: Pick<RenderingPieces, 'tenant' | 'objects' | 'signal'>,
  work: (io: RenderIo) => Promise<void>,
): Promise<void> {
  const opened = async (key: string, use: (media: OpenMedia) => Promise<void>) => {
    const source = await objects.source(key);
    if (source === null)
      throw mediaUnreadable('A file that the clip is made of is gone. Create the job again.');
    await reading(source, use, signal);
  };
  const openedFile = (file: RenderedFile | null, use: (media?: OpenMedia) => Promise<void>) =>
    file === null ? use() : opened(file.key, use);
  await inWorkFolder('render-clip', (folder) =>
    opened(sourceKey(tenant, asset_id), (source) =>
      openedFile(plan.overlay, (overlay) =>
        openedFile(plan.intro, (intro) =>
          openedFile(plan.outro, (outro) =>
            work({ tools: mediaTools, source, overlay, intro, outro, folder, signal }),
          ),
        ),
      ),
    ),
  );
}
