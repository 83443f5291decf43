import { endOfItems, failureOfState } from '../../../platform/jobs/job-failure.ts';
import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { failedItem, succeededItem } from '../../../shared/jobs.ts';
import { type ClipsInput, clipStep } from '../actions/clip-step.ts';
import { removeMaterials, removeUnused, renderedOutcome } from '../actions/settle-clips.ts';
import { clipAddress } from '../actions/show-clips.ts';
import { type ClipOutcome, isRendered } from '../rules/clip-outcomes.ts';

interface FinishInput extends ClipsInput {
  readonly ends: readonly ClipOutcome[];
}

export const settings = defineStep<FinishInput>({
  name: 'FinishClips',
  description: 'Ends a clip job with the results of its clips',
  memory: 512,
  timeout: 300,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, media: ['Read', 'Delete'] },
  publishes: true,
  event: {
    ...sampleJob,
    kind: 'clips',
    ends: [
      {
        video_clip_id: '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01',
        file: '8f2d6c1b0a9e4f37c5d28b61e09a7f43',
        rendered: 1,
        reused: 0,
      },
    ],
  },
});

export const handler = clipStep<FinishInput, object>(
  settings,
  async ({ asset_id, job_id, ends }, { now, assets, jobs, ...others }) => {
    const services = { ...others, addresses: presigner() };
    const { clips } = services;
    const asset = await assets.get(asset_id).catch(whenDeleted);
    const idsOf = ({ video_clip_id }: ClipOutcome) => ({ asset_id, video_clip_id });
    const withFile = async (end: ClipOutcome) => {
      const { video_clip_id } = end;
      if (!isRendered(end)) {
        const error = failureOfState(end.failure);
        return { ids: idsOf(end), how: { error }, item: { video_clip_id, ...failedItem(error) } };
      }
      const how = await renderedOutcome(idsOf(end), end, services);
      const clip = await clips.get(asset_id, video_clip_id).catch(whenDeleted);
      const address = await clipAddress({ clip, render: how.render }, asset, now(), services);
      const { rendered, reused } = end;
      const item = { video_clip_id, ...succeededItem({ ...address, rendered, reused }) };
      return { ids: idsOf(end), how, item };
    };
    const ended: Awaited<ReturnType<typeof withFile>>[] = [];
    // Read one plan at a time, because the plans of fifty long clips exceed the memory of the step.
    for (const end of ends) ended.push(await withFile(end));
    const items = ended.map(({ item }) => item);
    const video_clip_ids = ends.filter(isRendered).map((end) => end.video_clip_id);
    const end = endOfItems<'clips'>(items, { video_clip_ids });
    // One transaction ends the job and changes the clips. If the job is canceled first, no clip changes.
    const kept = async () =>
      (await Promise.all(ended.map(({ ids, how }) => clips.endings(ids, job_id, how, now())))).flat();
    if (!(await jobs.settle(asset_id, job_id, { now: now(), end, alongside: kept }))) throw new Canceled();
    for (const { ids, how } of ended)
      await ('render' in how ? removeUnused(ids, services) : removeMaterials(ids, services));
    return {};
  },
  { tableOf: publishingTable, patienceMs: TO_ITS_END },
);
