/** The tables of this environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { patience } from '../../shared/aws-services.ts';
import type { TenantId } from '../../shared/ids.ts';
import type { EntryFailed } from '../../shared/parse.ts';
import { QueueTable } from '../admission/queue-table.ts';
import { ApiKeys } from '../records/api-keys.ts';
import { AdminTable } from '../table/admin-table.ts';
import { type Afterwards, TenantTable } from '../table/tenant-table.ts';
import { environment } from './environment.ts';

/** Time-out of a response, ms. Three attempts fit into the 30 s of a request. */
const ANSWER_MS = 8000;

const client = new DynamoDBClient({ requestHandler: patience(ANSWER_MS) });

export const coreTable = (tenant: TenantId, afterwards?: Afterwards) =>
  new TenantTable(client, environment.coreTable, tenant, afterwards);
export const ephemeralTable = (tenant: TenantId) =>
  new TenantTable(client, environment.ephemeralTable, tenant);
export const apiKeyTable = () => new ApiKeys(client, environment.authTable);
export const adminTable = () => new AdminTable(client, environment.coreTable);
/** @param failed called for each entry of the queue that cannot be read */
export const queueTable = (failed: EntryFailed) => new QueueTable(client, environment.coreTable, failed);
