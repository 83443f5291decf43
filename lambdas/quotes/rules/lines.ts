/** The lines of a quote. */

import type { Receipt } from '../../../platform/admission/receipts.ts';
import { costOf, type DoneBy, meters, quantityOf } from '../../../shared/usage.ts';
import type { Use } from '../../ingest/rules/uses.ts';

export type QuoteLine = Receipt['lines'][number] & { readonly is_estimate: boolean };

/** Lines of the same engine in the same metric are one, as they are on a receipt: faces and text in pictures may be. */
export function together(lines: readonly QuoteLine[]): QuoteLine[] {
  const sums = new Map<string, QuoteLine>();
  for (const line of lines) {
    const name = `${line.metric}#${line.engine}`;
    const before = sums.get(name);
    sums.set(name, before === undefined ? line : sumOf(before, line));
  }
  return [...sums.values()];
}

/** Quantities are in thousandths of a minute or finer, costs in millionths of a USD. */
const sumOf = (one: QuoteLine, other: QuoteLine): QuoteLine => ({
  ...one,
  quantity: rounded(one.quantity + other.quantity),
  cost_usd: one.cost_usd === null || other.cost_usd === null ? null : rounded(one.cost_usd + other.cost_usd),
  is_estimate: one.is_estimate || other.is_estimate,
});

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** @param by what does it; null for Kinora itself */
export function lineOf(
  { meter, quantity, is_estimate }: Omit<Use, 'capability'>,
  by: DoneBy | null,
): QuoteLine {
  const { metric, unit } = meters[meter];
  const microusd = costOf(meter, quantity, by);
  return {
    metric,
    unit,
    quantity: quantityOf(meter, quantity),
    engine: by?.engine ?? null,
    cost_usd: microusd === null ? null : microusd / 1e6,
    is_estimate,
  };
}
