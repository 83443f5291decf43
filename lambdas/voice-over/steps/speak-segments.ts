/** Speaks the segments of a group, each fitted to its time. Segments whose speech is stored already are skipped. */

import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { ensureSpoken } from '../actions/cache-speech.ts';
import { speakerFor } from '../actions/clone-voices.ts';
import { speechMeter } from '../actions/meter-speech.ts';
import { dubProgress, type PartInput } from '../actions/report-progress.ts';
import { dubFiles, voiceOverStep } from '../actions/voice-over-step.ts';
import type { Group } from '../rules/progress-parts.ts';

interface GroupInput extends PartInput {
  readonly group: Group;
}

export const settings = defineStep<GroupInput>({
  name: 'SpeakSegments',
  description: 'Synthesizes a group of segments, each fitted to its time',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  permissions: {
    tables: { Core: ['get', 'put', 'update'] },
    media: ['Read', 'Write'],
    engines: { speech: ['speak'], voice_cloning: ['speak'] },
  },
  event: {
    ...sampleJob,
    kind: 'voice_over',
    index: 0,
    languages: 1,
    language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
    groups: 2,
    group: { index: 0, from: 0, to: 16 },
  },
});

export const handler = voiceOverStep<GroupInput, object>(
  settings,
  async (input, { tenant, now, job, signal }) => {
    const { group } = input;
    const files = dubFiles(tenant);
    const plan = await files.plan(input);
    const meter = speechMeter(input, plan, job, { table: coreTable(tenant), tenant });
    const engine = await speakerFor(plan);
    const speaking = { ids: input, plan, files, engine, tools: mediaTools, signal, meter };
    const progress = dubProgress(input, group.index, tenant, now);
    try {
      const pieces = plan.pieces.slice(group.from, group.to);
      for (const [at, piece] of pieces.entries()) {
        signal.throwIfAborted();
        await ensureSpoken(piece, speaking);
        progress.tell((at + 1) / pieces.length);
      }
      await progress.done();
      return {};
    } finally {
      await progress.close();
    }
  },
);
