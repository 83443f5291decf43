/** How events of this environment reach their receivers. */
import { EventDispatch } from '../data/event-dispatch.ts';
import type { TenantId } from '../domain/tenant.ts';
import { coreTable } from './dynamodb.ts';
import { deliverEventExecutions } from './stepfunctions.ts';

export const eventDispatch = (tenant: TenantId) =>
  new EventDispatch(coreTable(tenant), tenant, deliverEventExecutions);
