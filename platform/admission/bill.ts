/** The quote of a job before it runs, and its receipt afterwards. Each line has the use and cost of one meter and engine. */
import { defined } from '../../shared/checked-access.ts';
import type { JobId, TenantId } from '../../shared/ids.ts';
import type { JobView } from '../../shared/jobs.ts';
import { number, shape, text } from '../../shared/parse.ts';
import { costOf, type Meter, meterNames, meters, quantityOf } from '../../shared/usage.ts';
import { receiptPartition } from '../table/keys.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import type { Demand } from './demand.ts';

export type Receipt = NonNullable<JobView['receipt']>;
type Line = Receipt['lines'][number];
export type QuoteLine = Line & { readonly is_estimate: boolean };

interface Use {
  readonly meter: Meter;
  readonly engine: string | null;
  readonly quantity: number;
  /** The cost in millionths of a US dollar. Null if the price is not known. */
  readonly microusd: number | null;
}

export function quoteLines(demands: readonly Demand[]): QuoteLine[] {
  const groups = Map.groupBy(demands, ({ meter, by }) => `${meter}#${by?.engine}`);
  return [...groups.values()].map((group) => {
    const uses = group.map(({ meter, quantity, by }) => {
      return { meter, quantity, engine: by?.engine ?? null, microusd: costOf(meter, quantity, by) };
    });
    return { ...lineOf(sumOf(uses)), is_estimate: group.some(({ is_estimate }) => is_estimate) };
  });
}

/** One line of a stored receipt. One meter and engine may have several lines, because usage is sharded. */
const receiptItem = shape({
  sk: text,
  quantity: number,
  microusd: number,
  /** The number of uses whose price was not known. */
  unpriced: number,
});

/** The receipt of the job up to now. Its lines are in the order of the meters. */
export async function receiptOf(
  table: Pick<TenantTable, 'queryAll'>,
  tenant: TenantId,
  jobId: JobId,
): Promise<Receipt> {
  const items = await table.queryAll({ pk: receiptPartition(tenant, jobId), consistent: true });
  const uses = items.map((item): Use => {
    const { sk, quantity, microusd, unpriced } = receiptItem(item);
    const [meter, engine] = sk.split('#');
    return {
      meter: meter as Meter,
      engine: engine || null,
      quantity,
      microusd: unpriced > 0 ? null : microusd,
    };
  });
  const groups = Map.groupBy(uses, ({ meter, engine }) => `${meter}#${engine}`);
  const lines = [...groups.values()]
    .map(sumOf)
    .toSorted((one, other) => meterNames.indexOf(one.meter) - meterNames.indexOf(other.meter))
    .map(lineOf);
  return { lines, cost_usd: totalOf(lines) };
}

/** The sum of the lines in USD. Null if the cost of a line is not known. */
export function totalOf(lines: readonly Pick<Line, 'cost_usd'>[]): number | null {
  const costs = lines.map(({ cost_usd }) => cost_usd);
  if (costs.includes(null)) return null;
  return costs.reduce<number>((sum, usd) => sum + Math.round((usd ?? 0) * 1e6), 0) / 1e6;
}

function sumOf([first, ...others]: readonly Use[]): Use {
  let { quantity, microusd } = defined(first);
  for (const other of others) {
    quantity += other.quantity;
    microusd = microusd === null || other.microusd === null ? null : microusd + other.microusd;
  }
  return { ...defined(first), quantity, microusd };
}

function lineOf({ meter, engine, quantity, microusd }: Use): Line {
  const { metric, unit } = meters[meter];
  const cost_usd = microusd === null ? null : microusd / 1e6;
  return { metric, unit, quantity: quantityOf(meter, quantity), engine, cost_usd } as Line;
}
