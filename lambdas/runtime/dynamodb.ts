/** The tables of this environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AdminStorages } from '../data/admin-storages.ts';
import { ApiKeys } from '../data/api-keys.ts';
import { TenantTable } from '../data/table.ts';
import type { TenantId } from '../domain/tenant.ts';
import { environment } from './environment.ts';

const client = new DynamoDBClient({});

export const coreTable = (tenant: TenantId) => new TenantTable(client, environment.coreTable, tenant);
export const ephemeralTable = (tenant: TenantId) =>
  new TenantTable(client, environment.ephemeralTable, tenant);
export const apiKeys = () => new ApiKeys(client, environment.authTable);
export const adminStorages = () => new AdminStorages(client, environment.coreTable);
