/** Starts servers on the loopback interface. Every part of the local cloud is such a server. */
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

export type Listening = {
  port: number;
  /** The origin of the server: `http://127.0.0.1:8787`. */
  url: string;
  /** Stops accepting connections, waits up to `graceMs` for running requests, and then closes all connections. */
  close(graceMs?: number): Promise<void>;
};

/** A port of the loopback interface that this process holds until it calls `giveTo` or `letGo`. */
export type HeldPort = {
  port: number;
  /** The origin: `http://127.0.0.1:8787`. */
  url: string;
  /** Passes the port to a server of this process. Meanwhile, no other process can get the port. */
  giveTo(server: NetServer, listening: () => void): void;
  /** Frees the port for another program, which should listen immediately. Has no effect after `giveTo`. */
  letGo(): Promise<void>;
};

export class PortTaken extends Error {
  override name = 'PortTaken';
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is taken by another program`);
    this.port = port;
  }
}

/** @param port a held port is passed to the server; 0 chooses any free port */
export async function listen(server: Server, port: number | HeldPort): Promise<Listening> {
  if (typeof port === 'number') await bound(server, port);
  else await new Promise<void>((resolve) => port.giveTo(server, resolve));
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    close: async (graceMs = 2_000) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Resolves when the server listens. */
export function bound(server: NetServer, port: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port) : error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
}
