/** Publishes clips on platforms. */
import * as contract from '../../contract/publishing.ts';
import { Clips } from '../data/clips.ts';
import { publishJobKey } from '../data/keys.ts';
import { InvalidState, NotFound, NotImplemented } from '../domain/problems.ts';
import { type PublishJob, requireFuture } from '../domain/publishing.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { followed } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return { table, clips: new Clips(table, tenant) };
};

export const handler = resource(contract, services, {
  publishClip: async ({ params, body, now }, { clips }) => {
    const { status } = await clips.getById(params.clip_id);
    requireFuture(body.schedule_at, now);
    if (status === 'failed') throw new InvalidState('The clip failed to render.');
    throw new NotImplemented(`Publishing on ${body.platform}`);
  },

  getPublishJob: async ({ params, tenant }, { table }) => {
    const found = await table.get<PublishJob>(publishJobKey(tenant, params.job_id));
    if (found === null) throw new NotFound('publish job', params.job_id);
    const { pk: _, sk: __, ...job } = found;
    return followed(job);
  },
});
