/** Quotes: the cost of a job, before a request creates it. */
import * as contract from '../../../build/contract/quotes.js';
import { quoteLines, totalOf } from '../../../platform/admission/bill.ts';
import { amountsOf } from '../../../platform/admission/demand.ts';
import { roomBeside } from '../../../platform/admission/quotas.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { unlimited } from '../../../shared/usage.ts';
import { Clips } from '../../clips/records/clips.ts';
import { dubServices } from '../../voice-over/actions/voice-over-step.ts';
import { quotedDemands } from '../actions/quoted.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    ...dubServices(tenant, table),
    clips: new Clips(table, tenant),
    usage: usageOf(table, tenant),
  };
};

export const handler = resource(contract, services, {
  getQuote: async ({ params, query, limits, now }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const { asset_id } = asset;
    const demands = await quotedDemands[query.job](asset, query, services);
    const lines = quoteLines(demands);
    const cost_usd = totalOf(lines);
    const limit_usd = limits.quotas.cost;
    if (limit_usd === undefined) return ok({ asset_id, job: query.job, lines, cost_usd, budget: null });
    const used = await services.usage.current(now);
    const spent_usd = defined(used.metrics.find(({ metric }) => metric === 'cost')).quantity;
    // Uses the same rule as the reservation of a job. A job without a cost does not count against the budget.
    const cost = amountsOf(demands, unlimited).find(({ meter }) => meter === 'cost_microusd');
    const hasRoom = cost === undefined || roomBeside(cost, limits, used) >= 0;
    const budget = { limit_usd, spent_usd, fits: cost_usd === null ? null : hasRoom };
    return ok({ asset_id, job: query.job, lines, cost_usd, budget });
  },
});
