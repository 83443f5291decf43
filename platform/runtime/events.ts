/** How events of this environment reach their receivers. */
import { EventDispatch } from '../outbox/dispatch.ts';
import type { TenantId } from '../shared/tenant.ts';
import { coreTable } from './dynamodb.ts';
import { deliverEventExecutions } from './stepfunctions.ts';

export const eventDispatch = (tenant: TenantId) =>
  new EventDispatch(coreTable(tenant), tenant, deliverEventExecutions);
