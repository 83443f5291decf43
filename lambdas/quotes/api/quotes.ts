/** Quotes: the cost of a job, before a request creates it. */
import * as contract from '../../../build/contract/quotes.js';
import { quoteLines, totalOf } from '../../../platform/admission/bill.ts';
import { uploadDemands } from '../../../platform/admission/demand.ts';
import { usedOf } from '../../../platform/admission/quotas.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { reservationsOf } from '../../../platform/runtime/reserve-in-step.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { Limits } from '../../../shared/usage.ts';
import { Clips } from '../../clips/records/clips.ts';
import { dubServices } from '../../voice-over/actions/voice-over-step.ts';
import { quotedDemands } from '../actions/quoted.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    ...dubServices(tenant, table),
    clips: new Clips(table, tenant),
    usage: usageOf(table, tenant),
    reservations: reservationsOf(table, tenant),
  };
};

export const handler = resource(contract, services, {
  getQuote: async ({ params, query, limits, now }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const { asset_id } = asset;
    const demands = await quotedDemands[query.job](asset, query, services);
    const lines = quoteLines(demands);
    const cost_usd = totalOf(lines);
    const fitting = (quotas: Limits['quotas'], concurrent_jobs: number | null) =>
      services.reservations.refusalOf({
        demands: [...(query.job === 'ingest' ? uploadDemands(query.size_bytes ?? 0) : []), ...demands],
        limits: { ...limits, quotas, concurrent_jobs },
        now,
      });
    const refused = await fitting(limits.quotas, limits.concurrent_jobs);
    const limit_usd = limits.quotas.cost;
    const budget =
      limit_usd === undefined
        ? null
        : {
            limit_usd,
            spent_usd: usedOf('cost_microusd', await services.usage.current(now)),
            fits: cost_usd === null ? null : (await fitting({ cost: limit_usd }, null)) === null,
          };
    const refusal = refused && { code: refused.code as 'quota_exceeded', detail: refused.detail };
    return ok({ asset_id, job: query.job, lines, cost_usd, budget, fits: refusal === null, refusal });
  },
});
