import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { english } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
const pull = { protocol: 'srt', mode: 'pull', url: 'srt://studio.example:9000' };

const api = await startTestApi();
const acme = await api.tenant('acme');

const create = (body: object) => acme.call('POST', '/v1/channels', body);

describe('channels', () => {
  it('are created, read, listed newest first and deleted', async () => {
    const own = await api.tenant('lister');
    const first = await own.call('POST', '/v1/channels', { name: 'One', source: pull });
    const second = await own.call('POST', '/v1/channels', {
      name: 'Two',
      source: { protocol: 'rtmp', mode: 'push' },
      language_id: english,
    });
    expect([first.status, first.headers.Location]).toEqual([201, `/v1/channels/${first.json.channel_id}`]);
    expect(second.json).toMatchObject({
      source: { protocol: 'rtmp', mode: 'push', url: null, has_passphrase: false },
      language_id: english,
      template_id: null,
      status: 'idle',
      playback_url: null,
    });
    expect((await own.call('GET', first.headers.Location!)).json).toEqual(first.json);
    const page = await own.call('GET', '/v1/channels?items=1');
    expect(page.json).toMatchObject({ total: 2, data: [second.json] });
    const next = await own.call('GET', `/v1/channels?items=1&cursor=${page.json.next_cursor}`);
    expect(next.json.data).toEqual([first.json]);
    expect((await own.call('DELETE', first.headers.Location!)).status).toBe(204);
    expect((await own.call('GET', first.headers.Location!)).status).toBe(404);
    expect((await own.call('GET', '/v1/channels')).json.total).toBe(1);
  });

  it('never show a passphrase, and keep it encrypted', async () => {
    const passphrase = 'correct horse battery';
    const made = await create({ name: 'Secret', source: { ...pull, passphrase } });
    expect(made.json.source).toEqual({ ...pull, has_passphrase: true });
    const { Items } = await api.environment.client.send(
      new QueryCommand({
        TableName: 'Core',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'T#acme#CFG#channels' } },
      }),
    );
    expect(JSON.stringify(Items)).toContain('Secret');
    expect(JSON.stringify(Items)).not.toContain(passphrase);
    expect(JSON.stringify(Items)).not.toContain(Buffer.from(passphrase).toString('base64'));
  });

  it.each([
    ['a pull without address', { protocol: 'srt', mode: 'pull' }, '/source/url'],
    ['a push with one', { ...pull, mode: 'push' }, '/source/url'],
    ['hls that is pushed', { protocol: 'hls', mode: 'push' }, '/source/mode'],
    ['the address of another protocol', { ...pull, protocol: 'hls' }, '/source/url'],
    [
      'a passphrase of what is not srt',
      { protocol: 'rtmp', mode: 'push', passphrase: 'x'.repeat(10) },
      '/source/passphrase',
    ],
    ['a short passphrase', { ...pull, passphrase: 'short' }, '/source/passphrase'],
    ['credentials in the address', { ...pull, url: 'srt://user:pass@studio.example:9000' }, '/source/url'],
    ['another protocol', { protocol: 'rtsp', mode: 'push' }, '/source/protocol'],
  ])('refuse %s', async (_, source, pointer) => {
    const reply = await create({ name: 'Bad', source });
    expect([reply.status, reply.json.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('reject unknown ids', async () => {
    const reply = await create({
      name: 'Lost',
      source: pull,
      template_id: missing,
      collection_id: missing,
      language_id: missing,
    });
    expect(reply.json.code).toBe('unknown_reference');
    expect(reply.json.errors).toHaveLength(3);
  });

  it('answer 412 for another version', async () => {
    const path = (await create({ name: 'Mine', source: pull })).headers.Location!;
    expect((await acme.call('DELETE', path, undefined, { 'if-match': '"9"' })).status).toBe(412);
    expect((await acme.call('GET', path)).status).toBe(200);
  });
});

describe('POST /v1/channels/{channel_id}/assets', () => {
  it('answers 501 because live ingest is planned, and 409 for an external_id in use', async () => {
    const { headers } = await create({ name: 'Live', source: pull });
    const path = `${headers.Location}/assets`;
    const sound = await acme.call('POST', path, { external_id: 'show-1' });
    expect([sound.status, sound.json.code]).toEqual([501, 'not_implemented']);
    expect((await acme.call('POST', path)).status).toBe(501);
    await acme.call('POST', '/v1/assets', { filename: 'a.mp4', external_id: 'show-1' });
    const taken = await acme.call('POST', path, { external_id: 'show-1' });
    expect([taken.status, taken.json.code]).toEqual([409, 'external_id_conflict']);
    expect((await acme.call('POST', path, { name: 'x' })).status).toBe(422);
  });
});
