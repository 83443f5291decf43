/** Changes that read first and then write only where nothing changed in between. */
import { WriteConflict } from '../../shared/problems.ts';
import { TransactionRefused } from './tenant-table.ts';

/** Runs the attempt until others leave it room; throws write_conflict for the thing after so many. */
export async function retrying<T>(
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
