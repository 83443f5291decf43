import * as contract from '../../../build/contract/publishing.js';
import { followed } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { publishJobKey } from '../../../platform/table/keys.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { JobViewOf } from '../../../shared/jobs.ts';
import { Inconsistent, InvalidState, NotFound, NotImplemented } from '../../../shared/problems.ts';
import { Clips } from '../../clips/records/clips.ts';
import { statusOf } from '../../clips/rules/clips.ts';

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
    const found = await table.get<JobViewOf<'publish'>>(publishJobKey(tenant, params.job_id));
    if (found === null) throw new NotFound('publish job', params.job_id);
    const { pk: _, sk: __, ...job } = found;
    return followed(job);
  },
});

/** Throws validation_failed for a time that has passed. */
function requireFuture(schedule_at: string | undefined, now: Date): void {
  if (schedule_at === undefined) return;
  if (Date.parse(schedule_at) > now.getTime()) return;
  const detail = `schedule_at must be after ${now.toISOString()}.`;
  throw new Inconsistent([{ pointer: '/schedule_at', code: 'too_small', detail }]);
}
