/** Renders chunks of a clip, one after another, while there is time. */

import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, samplePlanned } from '../../../platform/steps/define-step.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import { clipServices, clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { ensureChunk } from '../actions/render-pieces.ts';
import { clipProgress } from '../actions/report-progress.ts';
import type { Run } from '../rules/job-parts.ts';

/** Time for one chunk, ms. With less time left, no further chunk starts. Each call renders at least one. */
const FOR_A_CHUNK_MS = 450_000;

interface RunInput extends PlannedInput {
  readonly part: Run;
}

export const settings = defineStep<RunInput>({
  name: 'RenderChunk',
  description: 'Renders as many chunks of a clip as the time allows',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  room: 4096,
  permissions: { tables: { Core: ['get', 'put', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  event: { ...samplePlanned, part: { lane: 0, chunks: [0] } },
});

export const handler = clipStep<RunInput, { readonly done: boolean }>(
  settings,
  async (input, { tenant, job, signal, leftMs }) => {
    const { lane, chunks } = input.part;
    const { objects, files } = clipServices(tenant);
    const planned = await files.plan(input, input.file);
    const usage = new Usage(coreTable(tenant), tenant);
    const pieces = { ids: input, planned, tenant, objects, files, usage, created_at: job.created_at, signal };
    const progress = clipProgress(input, lane, tenant);
    try {
      for (const [at, chunk] of chunks.entries()) {
        if (at > 0 && leftMs() < FOR_A_CHUNK_MS) return { done: false };
        signal.throwIfAborted();
        const { start_frame, end_frame } = planned.plan.chunks[chunk]!;
        const frames = end_frame - start_frame;
        await ensureChunk(chunk, pieces, (reached) =>
          progress.tell((at + Math.min(1, reached / frames)) / chunks.length),
        );
        progress.tell((at + 1) / chunks.length);
      }
      await progress.done();
      return { done: true };
    } finally {
      await progress.close();
    }
  },
);
