/** The lines of a quote. */

import { costOf, type DoneBy, meters, quantityOf } from '../../../platform/shared/usage.ts';
import type { Receipt } from '../../../platform/usage/receipts.ts';
import type { Use } from '../../ingest/rules/uses.ts';

export type QuoteLine = Receipt['lines'][number] & { readonly is_estimate: boolean };

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
