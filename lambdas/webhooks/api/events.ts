/** The event log: lists events, oldest first, and reads single events. */
import * as contract from '../../../build/contract/events.js';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { EventLog } from '../../../platform/outbox/event-log.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { describeError, log } from '../../../platform/runtime/log.ts';
import { idAt } from '../../../shared/derived-ids.ts';
import type { TenantId } from '../../../shared/ids.ts';

const services = (tenant: TenantId) =>
  new EventLog(coreTable(tenant), tenant, (event, error) =>
    log('error', 'event left out', { event, ...describeError(error) }),
  );

export const handler = resource(contract, services, {
  listEvents: async ({ query, now }, events) => {
    const { after, since, items, type, asset_id } = query;
    const start = after ?? (since === undefined ? null : idAt(Date.parse(since), '0'));
    return ok(await events.read(start, items, { type, asset_id }, now));
  },

  getEvent: async ({ params, now }, events) => ok(await events.get(params.event_id, now)),
});
