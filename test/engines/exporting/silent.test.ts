/** Storages of tenants that hold a connection: each must end soon, so that its step gives its place back. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Storage } from '../../../engines/exporting/port.ts';
import { storages } from '../../../engines/exporting/storages.ts';
import { fileOf, large, refusal, small, writing } from './writing.ts';

/** Runs a TCP server. Returns its port. */
async function serving(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const writer = storages.make({
  allows: () => true,
  ownBuckets: [],
  pathStyle: true,
  schemes: ['http', 'https'],
  silenceMs: 200,
  settings: { EXPORT_ACCOUNT: '000000000000', GCS_URL: 'http://unused.invalid' },
}) as ReturnType<typeof storages.make>;

const azure = (origin: string): Storage => ({
  type: 'azure',
  destination: { blob_url: `${origin}/container` },
  authentication: { sas_token: 'sig=1' },
  external_id: 'x',
});

/** Answers HEAD with 404, so that the upload of the file begins, and reads nothing of it. */
function withoutReading(socket: Socket): void {
  socket.once('data', (request) => {
    if (!request.toString('latin1').startsWith('HEAD')) return void socket.pause();
    socket.end('HTTP/1.1 404 Not Found\r\nx-ms-error-code: BlobNotFound\r\nContent-Length: 0\r\n\r\n');
  });
}

it.each([
  ['accepts and sends nothing', 'http', small, () => {}],
  ['ends no TLS handshake', 'https', small, () => {}],
  ['reads nothing of the file', 'http', large, withoutReading],
] as const)('stops waiting for a storage that %s', async (_, scheme, body, onConnection) => {
  const port = await serving(onConnection);
  const asking = writer.write(fileOf(body), azure(`${scheme}://127.0.0.1:${port}`), writing().given);
  expect(await refusal(asking)).toMatchObject({
    code: 'provider_unavailable',
    detail: expect.stringContaining('ETIMEDOUT'),
  });
});
