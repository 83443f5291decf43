import { describe, expect, it } from 'vitest';
import { Jobs } from '../../../../platform/jobs/job-records.ts';
import { spanish } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';
import { sentTo } from '../../../support/uploads.ts';

const api = await startTestApi();
const tenant = await api.tenant('acme');

/** The engines that the ingest of an asset with such a template is started with, as its machine gets them. */
async function enginesOf(template?: object): Promise<string[]> {
  const { call } = tenant;
  const { template_id } = template
    ? (await call('POST', '/v1/templates', { name: 'T', ...template })).json
    : {};
  const { asset_id } = (await call('POST', '/v1/assets', { filename: 'a.mp4', template_id })).json;
  const body = await sentTo(tenant, `/v1/assets/${asset_id}`);
  const { job_id } = (await call('POST', `/v1/assets/${asset_id}/finish_upload`, body)).json;
  const { input } = await new Jobs(tenant.table, tenant.id, 'ingest').get(asset_id, job_id);
  expect(api.machines.calls.some((one) => one.includes(job_id) && one.includes(input.engines!))).toBe(true);
  return input.engines!.split(' ');
}

describe('an ingest waits for the providers that it needs:', () => {
  const always = ['transcription', 'sound_events', 'shots', 'faces', 'text_analysis'];

  it('without a template, for none that analyzes pictures, translates or speaks', async () => {
    expect(await enginesOf()).toEqual(always);
  });

  it('with a template, for those that it requests, and for translation if it requests a voice over', async () => {
    expect(await enginesOf({ enabled_ocr: true })).toEqual([...always, 'ocr']);
    expect(await enginesOf({ translation_language_ids: [spanish] })).toEqual([...always, 'translation']);
    expect(await enginesOf({ voice_over_language_ids: [spanish] })).toEqual([
      ...always,
      'translation',
      'speech',
    ]);
  });
});
