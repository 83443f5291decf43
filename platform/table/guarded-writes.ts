/** Transactions whose writes know what it means that their condition does not hold. */
import { type Item, type TenantTable, TransactionRefused, type Write } from './tenant-table.ts';

export interface Guarded {
  readonly write: Write;
  /** What to tell the caller where the condition fails; without it, others were faster and the change is tried again. */
  readonly refusal?: (current: Item | null) => Error | Promise<Error>;
}

export const unguarded = (write: Write): Guarded => ({ write });

/** Writes all or nothing; throws a refusal, or TransactionRefused where another attempt may succeed. */
export async function commit(table: TenantTable, writes: readonly Guarded[]): Promise<void> {
  try {
    await table.transact(writes.map(({ write }) => write));
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const failed = error.actions.flatMap((action, at) =>
      action.failed ? [{ current: action.current, refusal: writes[at]!.refusal }] : [],
    );
    const [first] = failed;
    const isOutdated = failed.some(({ refusal }) => refusal === undefined);
    if (first?.refusal === undefined || isOutdated) throw error;
    throw await first.refusal(first.current);
  }
}
