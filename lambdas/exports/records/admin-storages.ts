/** A list of the storages of all tenants, for operators. An entry and its storage change in one transaction. */
import type { Static } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/admin-storages.ts';
import type { Stored } from '../../../platform/records/configuration.ts';
import type { AdminTable } from '../../../platform/table/admin-table.ts';
import type { PageOfIds, Position } from '../../../platform/table/id-pages.ts';
import type { Key } from '../../../platform/table/table.ts';
import { ADMIN_PREFIX, type Write } from '../../../platform/table/tenant-table.ts';
import { NotFound, noneFound } from '../../../shared/problems.ts';
import { masked, maskedMembers } from '../rules/external-storages.ts';

const partition = `${ADMIN_PREFIX}external_storages`;
const keyOf = (id: string): Key => ({ pk: partition, sk: id });

export type AdminStorage = Frozen<Static<typeof contract.AdminExternalStorage>>;

/** The writes that update the operators' entry of a changed storage. They contain no tenant: the table adds it. */
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

export class AdminStorages {
  readonly #table: AdminTable;

  constructor(table: AdminTable) {
    this.#table = table;
  }

  async get(id: string): Promise<AdminStorage> {
    const entry = await this.#table.get<AdminStorage & Key>(keyOf(id));
    if (entry === null) throw new NotFound('external storage', id);
    const { pk: _, sk: __, ...storage } = entry;
    return storage;
  }

  page(position: Position, size: number): Promise<PageOfIds> {
    return this.#table.page(partition, position, size);
  }

  /** The storages that still exist, in the order of the ids. */
  async getMany(ids: readonly string[]): Promise<AdminStorage[]> {
    const found = await Promise.all(ids.map((id) => this.get(id).catch(noneFound)));
    return found.filter((storage) => storage !== null);
  }
}
