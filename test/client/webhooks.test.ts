import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type Kinora, replayEvents, verifyWebhook, WebhookError } from '../../client/index.ts';

const secret = `whsec_${Buffer.from('a key that only the two of us know').toString('base64')}`;
const now = new Date('2026-11-21T09:30:00.000Z');

function message(body: string, { by = secret, at = now } = {}) {
  const headers: Record<string, string> = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('e1', at, body),
  };
  return { body, headers, header: (name: string) => headers[name] };
}

describe('a webhook message', () => {
  it('is verified with the secret and returned as its event, for any content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        expect(await verifyWebhook(message(body), secret, now)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('can contain signatures of other secrets and versions too', async () => {
    const sent = message('{}');
    sent.headers['webhook-signature'] = `v2,abc v1,%% v1a,x ${sent.headers['webhook-signature']}`;
    expect(await verifyWebhook(sent, secret, now)).toEqual({});
  });

  it.each([
    ['with another secret', message('{}', { by: `whsec_${btoa('another')}` })],
    ['for another text', { ...message('{}'), body: '{"a":1}' }],
    ['for no one', { body: '{}', header: () => null }],
    ['six minutes ago', message('{}', { at: new Date(now.getTime() - 360_000) })],
    ['six minutes from now', message('{}', { at: new Date(now.getTime() + 360_000) })],
  ])('is refused if it was signed %s', async (_, sent) => {
    await expect(verifyWebhook(sent, secret, now)).rejects.toThrow(WebhookError);
  });
});

it('replays the whole event log, page by page', async () => {
  const asked: object[] = [];
  const pages = [
    { data: [{ event_id: '1' }, { event_id: '2' }], next_after: '2', has_more: true },
    { data: [], next_after: '5', has_more: true },
    { data: [{ event_id: '6' }], next_after: '6', has_more: false },
  ];
  const kinora = {
    listEvents: async (query: object) => {
      asked.push(query);
      return pages[asked.length - 1];
    },
  } as unknown as Kinora;
  const ids: string[] = [];
  for await (const { event_id } of replayEvents(kinora, { since: '2026-11-21T00:00:00Z' }))
    ids.push(event_id);
  expect(ids).toEqual(['1', '2', '6']);
  expect(asked).toEqual([
    { since: '2026-11-21T00:00:00Z', items: 100 },
    { after: '2', items: 100 },
    { after: '5', items: 100 },
  ]);
});
