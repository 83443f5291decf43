/** Reads the admin partitions of all tenants. Only operators and schedules use it, never a request of a tenant. */
import { type PageOfIds, type Position, pageOfPartitions } from './id-pages.ts';
import { type Key, Table } from './table.ts';

/** Entries per request. */
const ENTRIES_AT_ONCE = 100;

export class AdminTable extends Table {
  /** All entries of a partition with ids up to `upTo`, oldest first, read page by page. */
  async *upTo<Entry>(pk: string, upTo: string): AsyncGenerator<Entry & Key> {
    let after: Key | undefined;
    do {
      const query = { pk, upTo, after, limit: ENTRIES_AT_ONCE, consistent: true };
      const { items, next } = await this.query<Entry>(query);
      yield* items;
      after = next;
    } while (after !== undefined);
  }

  page(partition: string, position: Position, size: number): Promise<PageOfIds> {
    return pageOfPartitions(this, { groups: [[partition]], position, size });
  }
}
