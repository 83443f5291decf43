/** The client against the real handlers: what it sends is understood, and what it gives is what was answered. */
import { beforeAll, expect, it } from 'vitest';
import { Kinora, uploadAsset } from '../../client/index.ts';
import type { Tenant } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

let kinora: Kinora;

const api = await startTestApi();

beforeAll(async () => {
  const tenant = await api.tenant('acme');
  kinora = new Kinora({ url: 'https://api.test', apiKey: tenant.key, fetch: handledBy(tenant) });
});

/** Requests go to the handlers in this process. */
function handledBy(tenant: Tenant): typeof fetch {
  return async (address, init) => {
    const { pathname, search } = new URL(String(address));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const reply = await tenant.call(init?.method ?? 'GET', pathname + search, body, headers);
    return new Response(reply.status === 204 ? null : new Uint8Array(reply.bytes), {
      status: reply.status,
      headers: reply.headers,
    });
  };
}

it('creates, lists, changes and deletes resources', async () => {
  const { template_id } = await kinora.createTemplate({ body: { name: 'News' } });
  expect((await kinora.listTemplates({ items: 1 })).data[0]).toMatchObject({ template_id, name: 'News' });
  expect(await kinora.updateTemplate({ template_id, body: { name: 'Late' } })).toMatchObject({
    name: 'Late',
  });
  await kinora.deleteTemplate({ template_id });
  await expect(kinora.getTemplate({ template_id })).rejects.toMatchObject({ code: 'resource_not_found' });
});

it('runs a request only once if the client sends it twice', async () => {
  const options = { idempotencyKey: 'once' };
  const first = await kinora.createAsset({ body: { filename: 'a.mp4' } }, options);
  expect(await kinora.createAsset({ body: { filename: 'a.mp4' } }, options)).toEqual(first);
});

it('uploads media in parts and follows the job that the upload starts', async () => {
  const { asset_id } = await kinora.createAsset({ body: { filename: 'b.mp4' } });
  const media = new Blob([new Uint8Array(9 * 2 ** 20)]);
  let sent = 0;
  const job = await uploadAsset(kinora, asset_id, media, {
    onSent: (bytes) => {
      sent = bytes;
    },
  });
  expect(sent).toBe(media.size);
  expect(job).toMatchObject({ type: 'ingest', asset_id, status: 'queued' });
  expect(api.machines.calls.join()).toContain(job.job_id);
  expect((await kinora.getIngestJob({ asset_id, job_id: job.job_id })).job_id).toBe(job.job_id);
});
