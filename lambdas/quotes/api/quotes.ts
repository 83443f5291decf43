/** Quotes: what a job would cost, before it is asked for. */
import * as contract from '../../../build/contract/quotes.js';
import { sumOf } from '../../../platform/admission/receipts.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { Clips } from '../../clips/records/clips.ts';
import { ingestRecords } from '../../ingest/actions/ingest-records.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { audioTracksOf } from '../../voice-over/records/audio-tracks.ts';
import { quoted } from '../actions/quoted.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    table,
    tenant,
    assets: new Assets(table, tenant),
    templates: ingestRecords(tenant, table).templates,
    transcriptions: new Transcriptions(table, mediaObjects(tenant), tenant),
    tracks: audioTracksOf(table, tenant),
    clips: new Clips(table, tenant),
    usage: new Usage(table, tenant),
  };
};

export const handler = resource(contract, services, {
  getQuote: async ({ params, query, limits, now }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const { asset_id } = asset;
    const lines = await quoted[query.job](asset, query, services);
    const cost_usd = sumOf(lines);
    const limit_usd = limits.quotas.cost;
    if (limit_usd === undefined) return ok({ asset_id, job: query.job, lines, cost_usd, budget: null });
    const { metrics } = await services.usage.current(now);
    const spent_usd = metrics.find(({ metric }) => metric === 'cost')!.quantity;
    // As it is held: in whole millionths, and of a budget that is spent there is no room for nothing either.
    const left = Math.round((limit_usd - spent_usd) * 1e6);
    const fits = cost_usd === null ? null : left >= Math.max(1, Math.round(cost_usd * 1e6));
    return ok({ asset_id, job: query.job, lines, cost_usd, budget: { limit_usd, spent_usd, fits } });
  },
});
