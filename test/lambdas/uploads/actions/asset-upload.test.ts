import { describe, expect, it } from 'vitest';
import { Jobs } from '../../../../platform/jobs/job-records.ts';
import { spanish } from '../../../support/api.ts';
import { runStep } from '../../../support/run-step.ts';
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

describe('an upload that is repeated', () => {
  const begun = async (parts: number) => {
    const { asset_id } = (await tenant.call('POST', '/v1/assets', { filename: 'a.mp4' })).json;
    const path = `/v1/assets/${asset_id}`;
    const start = async (body: object) => (await tenant.call('POST', `${path}/start_upload`, body)).json;
    const finish = (etags: string[]) => tenant.call('POST', `${path}/finish_upload`, { etags });
    const send = async (url: string, body: string) =>
      (await fetch(url, { method: 'PUT', body })).headers.get('etag')!;
    return { asset_id, path, start, finish, send, ticket: await start({ parts }) };
  };

  it.each([
    ['a larger', [1, 3], 'Parts 2-3 have'],
    ['a smaller', [3, 1], 'Parts 2-3 have'],
  ])('with %s number of parts needs the larger number', async (_, [first, then], says) => {
    const { start, finish, send, ticket } = await begun(first!);
    const [again] = await Promise.all([start({ parts: then }), start({ parts: then }), start({ parts: 2 })]);
    expect(again.upload_id).toBe(ticket.upload_id);
    const refused = await finish([await send(ticket.parts[0].url, 'one')]);
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringContaining(says)]);
  });

  it('fails if a part is replaced after its end, and can then be sent again', async () => {
    const { asset_id, finish, send, start, ticket } = await begun(1);
    const etag = await send(ticket.parts[0].url, 'one');
    const { job_id } = (await finish([etag])).json;
    await send(ticket.parts[0].url, 'other');
    const input = { tenant: tenant.id, asset_id, job_id };
    const error = await runStep('complete-upload', input).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'media_unreadable', message: expect.stringContaining('sent again') });
    const failure = { Error: error.name, Cause: JSON.stringify({ errorMessage: error.message }) };
    await runStep('fail-ingest', { ...input, failure });
    // The number of parts of the failed upload does not count for the next one.
    const fresh = await start({ parts: 1 });
    expect(fresh.upload_id).not.toBe(ticket.upload_id);
    expect((await finish([await send(fresh.parts[0].url, 'one')])).status).toBe(202);
  });

  it('shows its canceled job, and starts anew with its own number of parts', async () => {
    const { asset_id, finish, send, start, ticket } = await begun(1);
    const etags = [await send(ticket.parts[0].url, 'one')];
    const { job_id } = (await finish(etags)).json;
    await tenant.call('POST', `/v1/jobs/${job_id}/cancel`);
    await runStep('clear-ingest', { tenant: tenant.id, asset_id, job_id });
    expect((await finish(etags)).json).toMatchObject({ job_id, status: 'canceled' });
    const fresh = await start({ parts: 2 });
    const refused = await finish([await send(fresh.parts[0].url, 'one')]);
    expect(refused.json.detail).toMatch(/^Part 2 has not arrived/);
  });
});
