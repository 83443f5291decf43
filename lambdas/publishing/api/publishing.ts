/** Publishes clips on platforms. */
import * as contract from '../../../build/contract/publishing.js';
import { followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { publishJobKey } from '../../../platform/table/keys.ts';
import { InvalidState, NotFound, NotImplemented } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Clips } from '../../clips/records/clips.ts';
import { statusOf } from '../../clips/rules/clips.ts';
import { type PublishJob, requireFuture } from '../rules/publishing.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return { table, clips: new Clips(table, tenant) };
};

export const handler = resource(contract, services, {
  publishClip: async ({ params, body, now }, { clips }) => {
    const clip = await clips.getById(params.clip_id);
    requireFuture(body.schedule_at, now);
    if (statusOf(clip) === 'failed') throw new InvalidState('The clip failed to render.');
    throw new NotImplemented(contract.publishClip);
  },

  getPublishJob: async ({ params, tenant }, { table }) => {
    const found = await table.get<PublishJob>(publishJobKey(tenant, params.job_id));
    if (found === null) throw new NotFound('publish job', params.job_id);
    const { pk: _, sk: __, ...job } = found;
    return followed(job);
  },
});
