/** What jobs used and cost, as it was metered. */

import type { JobId } from '../../shared/ids.ts';
import type { JobView } from '../../shared/jobs.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { type Meter, meterNames, meters, quantityOf } from '../../shared/usage.ts';
import { receiptPartition } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';

export type Receipt = NonNullable<JobView['receipt']>;
type Line = Receipt['lines'][number];

/** A shard of a line. */
interface Kept {
  readonly quantity: number;
  readonly microusd: number;
  /** How many uses there were whose price nobody knew. */
  readonly unpriced: number;
}

/** Whatever was metered of the job until now; a receipt without lines where nothing was. */
export async function receiptOf(
  table: Pick<TenantTable, 'queryAll'>,
  tenant: TenantId,
  jobId: JobId,
): Promise<Receipt> {
  const kept = await table.queryAll<Kept>({ pk: receiptPartition(tenant, jobId), consistent: true });
  const lines = new Map<string, Kept>();
  for (const { sk, quantity, microusd, unpriced } of kept) {
    const name = sk.slice(0, sk.lastIndexOf('#'));
    const before = lines.get(name) ?? { quantity: 0, microusd: 0, unpriced: 0 };
    lines.set(name, {
      quantity: before.quantity + quantity,
      microusd: before.microusd + microusd,
      unpriced: before.unpriced + unpriced,
    });
  }
  const told = [...lines].map(([name, line]) => lineOf(name, line)).toSorted(inOrder);
  return { lines: told, cost_usd: sumOf(told) };
}

function lineOf(name: string, { quantity, microusd, unpriced }: Kept): Line {
  const [meter, engine] = name.split('#', 2) as [Meter, string];
  const { metric, unit } = meters[meter];
  return {
    metric,
    unit,
    quantity: quantityOf(meter, quantity),
    engine: engine || null,
    cost_usd: unpriced > 0 ? null : microusd / 1e6,
  } as Line;
}

const inOrder = (one: Line, other: Line) => placeOf(one) - placeOf(other);
const placeOf = ({ metric }: Line) => meterNames.findIndex((meter) => meters[meter].metric === metric);

/** The sum of what is known; null where of a line nobody knows what it costs. */
export function sumOf(lines: readonly { readonly cost_usd: number | null }[]): number | null {
  if (lines.some(({ cost_usd }) => cost_usd === null)) return null;
  return lines.reduce((sum, { cost_usd }) => sum + Math.round(cost_usd! * 1e6), 0) / 1e6;
}
