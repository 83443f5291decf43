import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BUCKET, errorCode, sendRaw, useS3 } from './harness.ts';

const s3 = useS3();

const target = { method: 'PUT', path: `/${BUCKET}/raw` };
const signedPut = () => s3.signed({ ...target, payloadHash: 'UNSIGNED-PAYLOAD' }).headers;

/** Writes the head of a PUT and part of its body to a socket; gives what the server says until it hangs up. */
async function converse(
  headers: Record<string, string>,
  body: string,
  { hangUp = false } = {},
): Promise<string> {
  const socket = connect(Number(new URL(s3.url).port), '127.0.0.1');
  const heard: Buffer[] = [];
  socket.on('data', (piece) => heard.push(piece));
  await once(socket, 'connect');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PUT ${target.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  if (hangUp) {
    await sleep(50);
    socket.destroy();
  } else {
    await once(socket, 'close');
  }
  return Buffer.concat(heard).toString();
}

describe('a client that waits for 100 Continue', () => {
  it('is asked for its body only if the server will accept it', async () => {
    const signed = signedPut();
    const headers = { ...signed, 'content-length': '2', expect: '100-continue', connection: 'close' };
    const accepted = await converse(headers, 'ok');
    expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    const refused = await converse({ ...headers, authorization: `${signed.authorization}0` }, '');
    expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden/);
  });

  it('gets an error immediately if its object is too large', async () => {
    const headers = { ...signedPut(), 'content-length': String(5 * 1024 ** 3 + 1), expect: '100-continue' };
    expect(await converse(headers, '')).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*<Code>EntityTooLarge</);
  });
});

describe('a client that disconnects in the middle of its upload', () => {
  it('stores nothing', async () => {
    await s3.put('raw', 'before');
    const files = await s3.files('data');
    await converse({ ...signedPut(), 'content-length': '1000' }, 'only this', { hangUp: true });
    await expect.poll(() => s3.files('data')).toEqual(files);
    expect(await s3.text('raw')).toBe('before');
  });
});

describe('a client that sends a large body with a rejected request', () => {
  it('gets the error, and can use the connection again', async () => {
    const body = Buffer.alloc(20_000_000);
    const refused = await sendRaw(s3.url, { ...target, body });
    expect([refused.status, errorCode(refused)]).toEqual([403, 'AccessDenied']);
    expect(await sendRaw(s3.url, { ...target, headers: signedPut(), body })).toMatchObject({
      status: 200,
    });
  });
});

describe('an upload without a Content-Length', () => {
  it('is refused', async () => {
    const headers = { ...signedPut(), 'transfer-encoding': 'chunked' };
    const answer = await sendRaw(s3.url, { ...target, headers, body: 'x' });
    expect([answer.status, errorCode(answer)]).toEqual([411, 'MissingContentLength']);
  });
});
