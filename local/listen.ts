/** A server on the loopback interface, as every part of the local cloud is. */
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

export type Listening = {
  port: number;
  /** An origin: `http://127.0.0.1:8787`. */
  url: string;
  /** Stops accepting, lets what is under way end for up to `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
};

/** A port of the loopback interface that is ours until it is let go. */
export type HeldPort = {
  port: number;
  /** An origin: `http://127.0.0.1:8787`. */
  url: string;
  /** Has a server of this process listen on it: at no moment is it free. */
  giveTo(server: NetServer, listening: () => void): void;
  /** For a program that listens on it by itself, at once. Does nothing to a port that was given to a server. */
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

/** @param port 0 takes any free one; a port that is held changes hands */
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
