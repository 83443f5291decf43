/** Transactions in which each write knows the error to throw if its condition fails. */
import { itemAt } from '../../shared/checked-access.ts';
import type { Item } from './table.ts';
import { type TenantTable, TransactionRefused, type Write } from './tenant-table.ts';

export interface Guarded {
  readonly write: Write;
  /** The error if the condition fails. If absent, a failed condition means that another request was faster: the change is tried again. */
  readonly refusal?: (current: Item | null) => Error | Promise<Error>;
}

export const unguarded = (write: Write): Guarded => ({ write });

/** Writes all or nothing. Throws a refusal, or TransactionRefused if another attempt may succeed. */
export async function commit(table: TenantTable, writes: readonly Guarded[]): Promise<void> {
  try {
    await table.transact(writes.map(({ write }) => write));
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const failed = error.actions.flatMap((action, at) =>
      action.failed ? [{ current: action.current, refusal: itemAt(writes, at).refusal }] : [],
    );
    const [first] = failed;
    const isOutdated = failed.some(({ refusal }) => refusal === undefined);
    if (first?.refusal === undefined || isOutdated) throw error;
    throw await first.refusal(first.current);
  }
}
