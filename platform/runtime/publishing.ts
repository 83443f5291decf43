/** The Core table for code that publishes events. The events of its transactions are delivered after the request. */
import type { TenantId } from '../../shared/ids.ts';
import { EventDispatch } from '../outbox/event-dispatch.ts';
import { dispatchWith, notePublished } from '../outbox/published-events.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { clock } from './clock.ts';
import { coreTable } from './dynamodb.ts';
import { executionsOf } from './stepfunctions.ts';

export const eventDispatch = (tenant: TenantId) =>
  new EventDispatch(coreTable(tenant), tenant, () => executionsOf('DeliverEvent'));

dispatchWith((tenant, events) => eventDispatch(tenant).run(events, clock.now()));

export const publishingTable = (tenant: TenantId): TenantTable =>
  coreTable(tenant, (events) => notePublished(tenant, events));
