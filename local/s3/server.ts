/** An S3 server for one machine. It uses node:http and files, and implements the parts of the protocol that the product needs. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AuthorizerOptions, createAuthorizer } from '../iam/authorizer.ts';
import { answer, type Service } from './answer.ts';
import type { BucketSpec, S3Options } from './options.ts';
import { lockDirectory } from './store/directory-lock.ts';
import { openStore, type Store } from './store/store.ts';

export type { BucketSpec, CorsRule, S3Options } from './options.ts';

export type RunningS3 = {
  /** The endpoint for clients, such as `http://127.0.0.1:4566`. */
  url: string;
  port: number;
  /** Stops the server. Waits a few seconds for running requests. */
  close(): Promise<void>;
};

const SWEEP_INTERVAL_MS = 3_600_000;

/** Resolves when the server listens. Rejects if another server uses the directory or the port. */
export async function startS3(options: S3Options): Promise<RunningS3> {
  const { dir, port, host = '127.0.0.1', region, credentials, buckets, now = Date.now } = options;
  const unlock = await lockDirectory(dir);
  try {
    const store = await openStore(dir, buckets, now);
    const server = serverOf({
      ...{ store, region, credentials, now, hosts: hostsOf(region) },
      authorizer: createAuthorizer(options.iam ?? noRoles(buckets)),
    });
    await listen(server, port, host);
    const sweep = setInterval(() => abortExpiredUploads(store), SWEEP_INTERVAL_MS).unref();
    const bound = (server.address() as AddressInfo).port;
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
      port: bound,
      async close() {
        clearInterval(sweep);
        await closeGently(server);
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** The options for a template without roles. The roles of STS then belong to another account than the buckets. */
const noRoles = (buckets: readonly BucketSpec[]): AuthorizerOptions => ({
  account: '000000000000',
  roles: [],
  resourcePolicies: buckets.map(({ name }) => ({ id: name, resource: `arn:aws:s3:::${name}`, document: {} })),
});

/** Returns the hosts for addresses of the form `<bucket>.<host>`. A longer host comes before its suffix. */
function hostsOf(region: string): string[] {
  return [`s3.${region}.amazonaws.com`, 's3.amazonaws.com', 's3.localhost', 'localhost', '127.0.0.1'];
}

/** The keep-alive time, ms. It is longer than that of clients, so that the client closes an idle connection first. */
const KEEP_ALIVE_MS = 65_000;

function serverOf(service: Service): Server {
  // Node's time limit for a request is disabled, because it would end slow uploads.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS });
  const serve = (awaitsContinue: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answer(service, incoming, outgoing, awaitsContinue).catch((error) => {
      console.error('s3: an answer could not be sent', error);
      outgoing.destroy();
    });
  };
  server.on('request', serve(false));
  server.on('checkContinue', serve(true));
  return server;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const GRACE_MS = 3000;

async function closeGently(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(deadline);
}

function abortExpiredUploads(store: Store): void {
  store
    .abortExpiredUploads()
    .catch((error) => console.error('s3: sweep of unfinished uploads failed', error));
}
