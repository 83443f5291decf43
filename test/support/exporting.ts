/** External storages, and exports to them. Each step of the machine runs as in the machine. */
import { uuidv7 } from 'uuidv7';
import { AnalysisResults } from '../../lambdas/analyses/records/analysis-results.ts';
import type { AssetId } from '../../shared/ids.ts';
import { english, type Tenant } from './api.ts';
import { failureOf, runStep } from './run-step.ts';

interface Job {
  readonly job_id: string;
  readonly asset_id: string;
}

export function exportingOf(tenant: Tenant) {
  const run = async (name: string, { job_id, asset_id }: Job, more: object = {}) => {
    return runStep(name, { tenant: tenant.id, asset_id, job_id, ...more });
  };
  const ended = async (job: Job) => {
    await run('render-export', job);
    while (!((await run('write-export', job)) as { written: boolean }).written);
  };
  return {
    run,

    /** Creates a storage and returns its id. */
    storage: async (body: object): Promise<string> => {
      const { status, json, text } = await tenant.call('POST', '/v1/external_storages', {
        name: 'S',
        ...body,
      });
      if (status !== 201) throw new Error(text);
      return json.external_storage_id;
    },

    started: async (asset_id: AssetId): Promise<Job> => {
      for (;;) {
        const { data } = (await tenant.call('GET', `/v1/jobs?type=export&asset_id=${asset_id}`)).json;
        if (data.length > 0) return data[0];
      }
    },

    done: async (job: Job) => {
      await ended(job).catch((error: Error) => run('fail-export', job, { failure: failureOf(error) }));
      return (await tenant.call('GET', `/v1/jobs/${job.job_id}`)).json;
    },

    metadata: async (asset_id: AssetId) => {
      const metadata_id = uuidv7();
      const at = '2026-11-21T09:00:00.000Z';
      const facts = { title: 'A house', summary: null, sentiment: null, classifications: [] };
      const head = { metadata_id, asset_id, language_id: english, ...facts, version: 1 };
      await new AnalysisResults(tenant.table, tenant.objects, tenant.id).addMetadata(
        { ...head, created_at: at, updated_at: at },
        { keywords: [], entities: [], chapters: [], texts: [] },
      );
      const path = `/v1/assets/${asset_id}/metadata/${metadata_id}`;
      return { metadata_id, shown: async () => (await tenant.call('GET', path)).json };
    },
  };
}

export type Exporting = ReturnType<typeof exportingOf>;
