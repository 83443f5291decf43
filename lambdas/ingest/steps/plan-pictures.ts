import { findPacketEnd, scanToTheEnd } from '../../../media/ffmpeg/measure-duration.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { sizeOf } from '../actions/report-progress.ts';
import { type PictureSpan, planSpans } from '../rules/picture-spans.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'PlanPictures',
  description: 'Cuts the pictures of the media into spans, which are analyzed in parallel',
  memory: 1769,
  timeout: 900,
  ffmpeg: true,
  permissions: { tables: { Core: ['check', 'get', 'query', 'update'] }, media: ['Read'] },
  event: sampleJob,
});

export const handler = ingestStep<AssetJobInput, { spans: readonly PictureSpan[] }>(
  settings,
  async (input, { tenant, assets, jobs, objects, signal }) => {
    const asset = await assets.get(input.asset_id);
    const source = await requireSource(input, { tenant, objects });
    const duration_ms =
      asset.duration_ms ??
      (await withOpenMedia(
        source,
        async (media) =>
          (await findPacketEnd(mediaTools, media, signal)) ?? scanToTheEnd(mediaTools, media, signal),
        signal,
      ));
    const spans = planSpans(asset, duration_ms);
    await jobs.planParts(input.asset_id, input.job_id, spans.map(sizeOf), 'picture');
    return { spans };
  },
);
