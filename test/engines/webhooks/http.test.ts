import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../../../engines/webhooks/http.ts';
import { isPublicAddress } from '../../../shared/public-addresses.ts';
import { type Answering, type Receiver, startReceiver } from '../../support/receiver.ts';

let receiver: Receiver;
afterEach(() => receiver.close());

const anywhere = () => true;

async function sendTo(answer: Answering, allows: (address: string) => boolean = anywhere) {
  receiver = await startReceiver(answer);
  return post(
    { url: receiver.url, headers: { 'webhook-id': 'e1' }, body: '{"ä":1}', timeout_ms: 300 },
    allows,
  );
}

describe('a request to a webhook', () => {
  it('sends headers and body, and returns the status', async () => {
    expect(await sendTo({ status: 204 })).toEqual({ status_code: 204, error: null, retry_after_s: null });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: '{"ä":1}',
        headers: { 'webhook-id': 'e1', 'content-length': '8' },
      },
    ]);
  });

  it('does not follow redirects, because their addresses are not checked', async () => {
    const outcome = await sendTo({ status: 307, headers: { location: '/elsewhere' } });
    expect(outcome.status_code).toBe(307);
    expect(receiver.received).toHaveLength(1);
  });

  it("returns the receiver's Retry-After", async () => {
    expect(await sendTo({ status: 429, headers: { 'retry-after': '77' } })).toMatchObject({
      status_code: 429,
      retry_after_s: 77,
    });
    const date = await sendTo({ status: 503, headers: { 'retry-after': new Date().toUTCString() } });
    expect(date.retry_after_s).toBeNull();
  });

  it('gives up on a receiver that does not answer in time', async () => {
    expect(await sendTo({ status: 204, after: 5000 })).toEqual({
      status_code: null,
      error: 'no answer within 0.3 s',
      retry_after_s: null,
    });
  });

  it('says why the connection failed, but not to which address', async () => {
    receiver = await startReceiver();
    const { url } = receiver;
    await receiver.close();
    expect(await post({ url, headers: {}, body: '', timeout_ms: 300 }, anywhere)).toMatchObject({
      status_code: null,
      error: 'connect ECONNREFUSED',
    });
    receiver = await startReceiver();
  });

  it('does not connect to a forbidden IP address, whether it is in the URL or resolved', async () => {
    const named = await sendTo({ status: 204 }, isPublicAddress);
    expect(named.error).toBe('127.0.0.1 is not an address of the public internet');
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    const resolved = await post({ url, headers: {}, body: '', timeout_ms: 300 }, isPublicAddress);
    expect(resolved.error).toBe('localhost has no address of the public internet');
    expect(receiver.received).toEqual([]);
  });

  it('fails alike for a name without a public address and for one that does not exist', async () => {
    const url = 'http://nowhere.invalid/hook';
    const { error } = await post({ url, headers: {}, body: '', timeout_ms: 5_000 }, isPublicAddress);
    // Without a name server, the look-up fails with EAI_AGAIN.
    expect(error).toMatch(/^nowhere\.invalid has no address of the public internet$|EAI_AGAIN/);
    receiver = await startReceiver();
  });

  it('resolves a name to an allowed address', async () => {
    receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect(
      await post({ url, headers: {}, body: '', timeout_ms: 300 }, (address) => address === '127.0.0.1'),
    ).toMatchObject({
      status_code: 204,
    });
  });
});
