import { defineStep, samplePlanned } from '../../../platform/steps/define-step.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { ensureChunk } from '../actions/render-pieces.ts';
import { withClipProgress } from '../actions/report-progress.ts';
import type { Run } from '../rules/job-parts.ts';

/** If less time than this is left, ms, no further chunk starts. Each call renders at least one chunk. */
const FOR_A_CHUNK_MS = 450_000;

interface RunInput extends PlannedInput {
  readonly part: Run;
}

export const settings = defineStep<RunInput>({
  name: 'RenderChunk',
  description: 'Renders chunks of a clip, one after another, while there is time',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  room: 4096,
  permissions: { tables: { Core: ['get', 'put', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: { ...samplePlanned, part: { lane: 0, chunks: [0] } },
});

export const handler = clipStep<RunInput, { readonly done: boolean }>(settings, async (input, context) => {
  const { lane, chunks } = input.part;
  const { files, signal, leftMs } = context;
  const planned = await files.plan(input, input.file);
  const pieces = { ids: input, planned, ...context };
  const render = async (tell: (fraction: number) => void) => {
    for (const [at, chunk] of chunks.entries()) {
      if (at > 0 && leftMs() < FOR_A_CHUNK_MS) return { done: false };
      signal.throwIfAborted();
      const { start_frame, end_frame } = itemAt(planned.plan.chunks, chunk);
      const frames = end_frame - start_frame;
      await ensureChunk(chunk, pieces, (reached) =>
        tell((at + Math.min(1, reached / frames)) / chunks.length),
      );
      tell((at + 1) / chunks.length);
    }
    return { done: true };
  };
  return withClipProgress(input, lane, context, { work: render, isDone: ({ done }) => done });
});
