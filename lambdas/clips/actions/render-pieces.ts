/** Renders the pieces of a clip that do not exist yet. */
import { createReadStream } from 'node:fs';
import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { renderChunk } from '../../../media/rendering/render-chunk.ts';
import type { RenderedPart, RenderIo } from '../../../media/rendering/render-io.ts';
import type { RenderedFile, RenderPlan } from '../../../media/rendering/render-plan.ts';
import { renderSound } from '../../../media/rendering/render-sound.ts';
import type { JobContext } from '../../../platform/kernel/job-step.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import { inWorkFolder } from '../../../platform/runtime/work-folder.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import type { PlannedFile } from '../records/clip-files.ts';
import type { ClipsJob } from '../rules/clips-job.ts';
import type { ClipServices, PlannedInput } from './clip-step.ts';
import { durationOf } from './plan-clip.ts';

type Context = ClipServices & JobContext<ClipsJob>;

interface RenderingPieces extends Context {
  readonly ids: PlannedInput;
  readonly planned: PlannedFile;
}

export async function ensureChunk(
  at: number,
  { ids, planned, ...context }: RenderingPieces,
  reached: (frames: number) => void,
): Promise<void> {
  const { plan, chunks } = planned;
  const name = itemAt(chunks, at);
  const { files, job, table, tenant } = context;
  if (!(await files.hasPiece(ids, name))) {
    await withIo(plan, ids, context, async (io) => {
      const part = await renderChunk(plan, at, { ...io, reached });
      await files.writePiece(ids, name, bytesOf(part), context.signal);
    });
  }
  // Meter after storing, so that lost work is not charged. If the piece exists already, a crashed attempt of this job
  // wrote it: the piece did not exist when the clip was planned, and no other job renders the clip. The use id counts
  // the piece once for each job.
  const use_id = `${ids.job_id}#${ids.video_clip_id}#${name}`;
  const quantity = durationOf(itemAt(plan.chunks, at), plan);
  const used = { use_id, meter: 'rendered_ms', quantity, job_id: ids.job_id, by: null } as const;
  await usageOf(table, tenant).record({ ...used, at: job.created_at });
}

export async function ensureSound(
  { ids, planned, ...context }: RenderingPieces,
  reached: (ms: number) => void,
): Promise<void> {
  const { plan, sound } = planned;
  const { files, signal } = context;
  if (await files.hasPiece(ids, sound)) return;
  await withIo(plan, ids, context, async (io) => {
    const part = await renderSound(plan, { ...io, reached });
    await files.writePiece(ids, sound, part && bytesOf(part), signal);
  });
}

const bytesOf = ({ path }: RenderedPart): AsyncIterable<Buffer> => createReadStream(path);

/** Opens all files of the plan while `work` runs. */
async function withIo(
  plan: RenderPlan,
  ids: PlannedInput,
  { files, signal, ...services }: Context,
  work: (io: RenderIo) => Promise<void>,
): Promise<void> {
  const media = await requireSource(ids, services);
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
