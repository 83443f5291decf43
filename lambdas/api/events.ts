/** The event log: read forwards, and one by one. */
import * as contract from '../../contract/events.ts';
import { EventLog } from '../data/events.ts';
import { idAt } from '../domain/derived-ids.ts';
import type { TenantId } from '../domain/tenant.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { ok } from './replies.ts';

const services = (tenant: TenantId) => new EventLog(coreTable(tenant), tenant);

export const handler = resource(contract, services, {
  listEvents: async ({ query, now }, log) => {
    const { after, since, items, type, asset_id } = query;
    const start = after?.toLowerCase() ?? (since === undefined ? null : idAt(Date.parse(since), '0'));
    return ok(await log.read(start, items, { type, asset_id: asset_id?.toLowerCase() }, now));
  },

  getEvent: async ({ params, now }, log) => ok(await log.get(params.event_id, now)),
});
