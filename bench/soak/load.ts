/** Keeps a bounded load running: for each tenant, one asset after another, and a reader of lists. */
import { setTimeout as sleep } from 'node:timers/promises';
import { itemAt } from '../../shared/checked-access.ts';
import type { Tenant } from './calls.ts';
import { browse, Given, lives } from './lives.ts';
import type { SoakMedia } from './media.ts';

/** The pause between two readings of the lists. */
const BROWSE_MS = 2000;

/** Resolves when the time has passed and all started lives have ended. */
export async function liveUntil(until: number, tenants: readonly Tenant[], media: SoakMedia): Promise<void> {
  await Promise.all(
    tenants.flatMap((tenant, at) => {
      const other = itemAt(tenants, (at + 1) % tenants.length);
      const around = { media, foreign: () => other.assets.at(-1) };
      const first = at * Math.ceil(lives.length / tenants.length);
      return [
        repeated(until, tenant, (nth) => itemAt(lives, (first + nth) % lives.length)(tenant, around)),
        repeated(until, tenant, async () => {
          await browse(tenant);
          await sleep(BROWSE_MS);
        }),
      ];
    }),
  );
}

async function repeated(until: number, tenant: Tenant, work: (nth: number) => Promise<void>): Promise<void> {
  for (let nth = 0; Date.now() < until; nth += 1) {
    await work(nth).catch(async (error: Error) => {
      if (!(error instanceof Given)) tenant.calls.fault(`${tenant.name}: ${error.stack ?? error}`);
      // Without this pause, a life that fails immediately would start thousands of times.
      await sleep(1000);
    });
  }
}
