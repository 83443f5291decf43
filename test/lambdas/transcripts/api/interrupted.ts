import { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { Api, Tenant } from '../../../support/api.ts';

/** Restores the record of a key to its state after a crash: the Lambda had written, but had not stored its answer. */
export async function forgetAnswer(api: Api, tenant: Tenant, operation: string, key: string): Promise<void> {
  await new TenantTable(api.environment.client, 'Ephemeral', tenant.id).update({
    key: { pk: `T#${tenant.id}#IDEM#${operation}#${key}`, sk: 'I' },
    expression: 'SET #state = :running, locked_until = :zero REMOVE reply',
    names: { '#state': 'state' },
    values: { running: 'running', zero: 0 },
  });
}
