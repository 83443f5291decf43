/** Speaks the segments of a group, each fitted to its time; those that are kept from before need not be spoken. */
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { speakerFor } from '../actions/cloned-voices.ts';
import { dubFiles, dubStep } from '../actions/job.ts';
import { ensureSpoken } from '../actions/kept-speech.ts';
import { dubProgress, type PartInput } from '../actions/progress.ts';
import type { Group } from '../rules/parts.ts';

interface GroupInput extends PartInput {
  readonly group: Group;
}

export const handler = dubStep<GroupInput, object>(
  'SpeakSegments',
  async (input, { tenant, now, signal }) => {
    const { group } = input;
    const files = dubFiles(tenant);
    const plan = await files.plan(input);
    const speaking = { ids: input, plan, files, engine: await speakerFor(plan), tools: mediaTools, signal };
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
