/** Ends a clip job with the results of its clips. The clips get their new files in the same transaction. */

import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { presigner } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { Assets } from '../../assets/records/assets.ts';
import { type ClipsInput, clipServices, clipStep, clipsJobs } from '../actions/clip-step.ts';
import { clipAddress } from '../actions/clip-urls.ts';
import { removeMaterials, removeUnused, renderedOutcome } from '../actions/settle-clips.ts';
import { type ClipOutcome, failedItem, isRendered, succeededItem } from '../rules/clip-outcomes.ts';

interface FinishInput extends ClipsInput {
  readonly ends: readonly ClipOutcome[];
}

export const settings = defineStep<FinishInput>({
  name: 'FinishClips',
  description: 'Ends a clip job with the results of its clips',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
  },
  starts: ['DeliverEvent'],
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
  async ({ asset_id, job_id, ends }, { tenant, now }) => {
    const table = publishingTable(tenant);
    const jobs = clipsJobs(tenant, table);
    const services = { ...clipServices(tenant, table), addresses: presigner() };
    const { clips } = services;
    const asset = await new Assets(table, tenant).get(asset_id).catch(whenDeleted);
    const idsOf = ({ video_clip_id }: ClipOutcome) => ({ asset_id, video_clip_id });
    const told = async (end: ClipOutcome) => {
      if (!isRendered(end)) {
        const error = jobFailure(end.failure.Error, end.failure.Cause);
        return { ids: idsOf(end), how: { error }, item: failedItem(end.video_clip_id, error) };
      }
      const how = await renderedOutcome(idsOf(end), end, services);
      const clip = await clips.get(asset_id, end.video_clip_id).catch(whenDeleted);
      const address = await clipAddress(clip, how.render, asset, now(), services);
      return { ids: idsOf(end), how, item: succeededItem(end, address) };
    };
    const ended: Awaited<ReturnType<typeof told>>[] = [];
    // One plan at a time: the plans of fifty long clips exceed the memory of the step.
    for (const end of ends) ended.push(await told(end));
    const items = ended.map(({ item }) => item);
    const made = ends.filter(isRendered).map(({ video_clip_id }) => video_clip_id);
    const [error] = items.flatMap((item) => item.error ?? []);
    const end =
      made.length === 0 && error !== undefined
        ? ({ status: 'failed', error, items } as const)
        : { result: { video_clip_ids: made }, items };
    // In one transaction, so that a job that is canceled meanwhile leaves the clips unchanged.
    const kept = async () =>
      (await Promise.all(ended.map(({ ids, how }) => clips.endings(ids, job_id, how, now())))).flat();
    if (!(await jobs.settle(asset_id, job_id, now(), end, kept))) throw new Canceled();
    for (const { ids, how } of ended)
      await ('render' in how ? removeUnused(ids, services) : removeMaterials(ids, services));
    return {};
  },
  TO_ITS_END,
);
