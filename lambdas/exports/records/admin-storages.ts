/** Entries of all tenants' storages, for operators. Each is written in one transaction with its storage. */

import type { Stored } from '../../../platform/records/configuration.ts';
import type { AdminTable } from '../../../platform/table/admin-table.ts';
import type { PageOfIds, Position } from '../../../platform/table/id-pages.ts';
import { ADMIN_PREFIX, type Key, type Write } from '../../../platform/table/tenant-table.ts';
import { NotFound, noneFound } from '../../../shared/problems.ts';
import { masked, maskedMembers } from '../rules/external-storages.ts';

const partition = `${ADMIN_PREFIX}external_storages`;
const keyOf = (id: string): Key => ({ pk: partition, sk: id });

export interface AdminStorage {
  readonly external_storage_id: string;
  readonly tenant: string;
  readonly name: string;
  readonly type: 'aws_s3' | 'azure' | 'gcp_storage' | 'dummy';
  readonly destination: Record<string, string> | null;
  readonly authentication_fields: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** Writes that update the entry of a changed storage. The table adds the tenant. */
export function adminWrites(before: Stored | null, after: Stored | null): Write[] {
  if (after === null) return before === null ? [] : [{ withdraw: keyOf(before.id) }];
  return [{ announce: { ...keyOf(after.id), ...entryOf(after) } }];
}

function entryOf({ id, name, type, destination, authentication_fields, created_at, updated_at }: Stored) {
  return {
    external_storage_id: id,
    name: masked(String(name)),
    type,
    destination: maskedMembers(destination as Record<string, unknown> | null),
    authentication_fields,
    created_at,
    updated_at,
  };
}

/** Reads only this partition of the table. */
export class AdminStorages {
  readonly #table: AdminTable;

  constructor(table: AdminTable) {
    this.#table = table;
  }

  async get(id: string): Promise<AdminStorage> {
    const entry = await this.#table.get<AdminStorage>(keyOf(id));
    if (entry === null) throw new NotFound('external storage', id);
    return storageOf(entry);
  }

  /** One page of ids, newest first. */
  page(position: Position, size: number): Promise<PageOfIds> {
    return this.#table.page(partition, position, size);
  }

  /** The storages that still exist, in the order of the ids. */
  async getMany(ids: readonly string[]): Promise<AdminStorage[]> {
    const found = await Promise.all(ids.map((id) => this.get(id).catch(noneFound)));
    return found.filter((storage) => storage !== null);
  }
}

function storageOf(entry: AdminStorage): AdminStorage {
  const { external_storage_id, tenant, name, type, destination, authentication_fields } = entry;
  const { created_at, updated_at } = entry;
  return {
    external_storage_id,
    tenant,
    name,
    type,
    destination,
    authentication_fields,
    created_at,
    updated_at,
  };
}
