/** Speaks the segments of a group, each fitted to its time. Segments whose speech is stored already are skipped. */
import { defineStep, sampleGroups } from '../../../platform/steps/define-step.ts';
import { ensureSpoken, speakingFor } from '../actions/cache-speech.ts';
import { type PartInput, withDubProgress } from '../actions/report-progress.ts';
import { voiceOverStep } from '../actions/voice-over-step.ts';
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
  event: { ...sampleGroups, group: { index: 0, from: 0, to: 16 } },
});

export const handler = voiceOverStep<GroupInput, object>(settings, async (input, context) => {
  const { group } = input;
  const { signal } = context;
  const speaking = await speakingFor(input, context);
  const pieces = speaking.plan.pieces.slice(group.from, group.to);
  return withDubProgress(input, group.index, context, async (tell) => {
    for (const [at, piece] of pieces.entries()) {
      signal.throwIfAborted();
      await ensureSpoken(piece, speaking);
      tell((at + 1) / pieces.length);
    }
    return {};
  });
});
