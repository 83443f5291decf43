/** Finds out what the uploaded file is, and refuses what is no media. */

import { probe } from '../../../engines/media/probe.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { inWorkspace } from '../../../platform/runtime/workspace.ts';
import { mediaLimitExceeded, mediaUnreadable } from '../../../platform/shared/job-errors.ts';
import { MEDIA_LIMITS, type MediaInfo } from '../../../platform/shared/media.ts';
import { sourceKey } from '../../../platform/store/objects.ts';
import { unavailableHere } from '../actions/availability.ts';
import { type IngestInput, ingestServices, ingestStep, report } from '../actions/ingest.ts';
import { itemsOf, plannedOutcomes } from '../rules/outcomes.ts';

/** The file, and what is made of it, must fit into the 10 GiB that a Lambda has on disk. */
const MAX_SOURCE_BYTES = 8 * 2 ** 30;

export const handler = ingestStep<IngestInput, { has_audio: boolean }>(
  'ProbeMedia',
  async (input, { tenant, now, signal }) => {
    const { assets, jobs, objects, templates } = ingestServices(tenant);
    const key = sourceKey(tenant, input.asset_id);
    const size = (await objects.size(key)) ?? 0;
    if (size === 0) throw mediaUnreadable('The file is empty. Upload a video or audio file.');
    if (size > MAX_SOURCE_BYTES) {
      throw mediaLimitExceeded(`The file has ${size} bytes; at most ${MAX_SOURCE_BYTES} are processed.`);
    }
    await report(input, tenant, now(), 'probe');
    const media = await inWorkspace(async (path) => {
      const file = path('source');
      await objects.download(key, file);
      return probe(mediaTools, file, MEDIA_LIMITS, signal);
    });
    const { template_id } = await assets.get(input.asset_id);
    const heard = { has_audio: media.audio.length > 0, has_video: media.video !== null };
    const planned = plannedOutcomes(heard, await templates.find(template_id), unavailableHere);
    await jobs.plan(input.asset_id, input.job_id, itemsOf(planned));
    await report(input, tenant, now(), 'probe', 1, { ...factsOf(media), ...planned, processed_as: 'normal' });
    return { has_audio: heard.has_audio };
  },
);

const factsOf = ({ duration_ms, size_bytes, video, audio }: MediaInfo) => ({
  duration_ms,
  size_bytes,
  width: video?.width ?? null,
  height: video?.height ?? null,
  frame_rate: video?.frame_rate ? Math.round(video.frame_rate.value * 1000) / 1000 : null,
  audio_channels: audio[0]?.channels ?? null,
});
