/** Joins the pieces of a clip into its file. From then on others may render the clip. */

import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import { clipServices, clipStep, type PlannedInput } from '../actions/clip-step.ts';
import { joinClip } from '../actions/join-clip.ts';
import { clipProgress } from '../actions/report-progress.ts';
import type { RenderedClip } from '../rules/clip-outcomes.ts';

interface JoinInput extends PlannedInput, Pick<RenderedClip, 'rendered' | 'reused'> {}

export const handler = clipStep<JoinInput, RenderedClip>(
  'JoinClip',
  async (input, { tenant, now, signal }) => {
    const { video_clip_id, file, rendered, reused, job_id } = input;
    const { clips, files, objects } = clipServices(tenant);
    const planned = await files.plan(input, file);
    const progress = clipProgress(input, 'join', tenant);
    try {
      const media = await objects.source(sourceKey(tenant, input.asset_id));
      if (media === null) throw mediaUnreadable('The file is gone. Upload it again.');
      await joinClip(input, planned, { files, media, now, signal, reached: progress.tell });
      await progress.done();
      await clips.unclaim(input, job_id);
      return { video_clip_id, file, rendered, reused };
    } finally {
      await progress.close();
    }
  },
);
