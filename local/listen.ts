/** A server on the loopback interface, as every part of the local cloud is. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listening = {
  port: number;
  /** An origin: `http://127.0.0.1:8787`. */
  url: string;
  /** Stops accepting, lets what is under way end for up to `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
};

export class PortTaken extends Error {
  override name = 'PortTaken';
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is taken by another program`);
    this.port = port;
  }
}

/** Port 0 takes any free one. */
export async function listen(server: Server, port: number): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port) : error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    close: async (graceMs = 2_000) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
