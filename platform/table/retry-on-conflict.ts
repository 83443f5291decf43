/** Retries changes that read first, and write only if nothing changed in between. */
import { WriteConflict } from '../../shared/problems.ts';
import { TransactionRefused } from './tenant-table.ts';

/** Repeats the attempt while other requests change the same items. Throws write_conflict after the last attempt. */
export async function retryOnConflict<T>(
  { kind, id, attempts }: { readonly kind: string; readonly id: string; readonly attempts: number },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let left = attempts; left > 0; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
    }
  }
  throw new WriteConflict(kind, id);
}
