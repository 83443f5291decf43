/** Chooses the ports of the local cloud, and holds them while it starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { bound, type HeldPort, PortTaken } from './listen.ts';
import { readJson, writeJson } from './state.ts';

/**
 * Linux gives ports from 32,768 (ip_local_port_range), others from 49,152 (RFC 6335 §6), to programs that ask for any
 * port and to outgoing connections. The ports chosen here lie below, so that neither can take them.
 */
const CHOSEN = { from: 20_000, to: 32_768 };
const TRIES = 100;

/**
 * Holds a port; 0 means any free one. Connections are closed until a server takes the port over.
 * @throws PortTaken if another program listens on the given port
 */
export async function holdPort(port: number): Promise<HeldPort> {
  if (port !== 0) return held(port);
  for (let tries = 1; ; tries += 1) {
    try {
      return await held(randomInt(CHOSEN.from, CHOSEN.to));
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === TRIES) throw error;
    }
  }
}

/**
 * A port for each name, the same at every start, since presigned addresses name them. One that another program has
 * taken meanwhile is replaced; `report` tells.
 */
export async function holdPorts<Name extends string>(
  path: string,
  names: readonly Name[],
  report: (line: string) => void,
): Promise<Record<Name, HeldPort>> {
  const known = readJson<Record<string, number>>(path) ?? {};
  const ports: Record<string, HeldPort> = {};
  for (const name of names) {
    const before = known[name] ?? 0;
    ports[name] = await holdPort(before).catch((error: unknown) => {
      if (!(error instanceof PortTaken)) throw error;
      report(`port ${before} of ${name} is taken; addresses that were signed for it are void`);
      return holdPort(0);
    });
  }
  writeJson(path, Object.fromEntries(Object.entries(ports).map(([name, { port }]) => [name, port])));
  return ports as Record<Name, HeldPort>;
}

/** One that nothing listens on now. */
export async function freePort(): Promise<number> {
  const { port, letGo } = await holdPort(0);
  await letGo();
  return port;
}

async function held(port: number): Promise<HeldPort> {
  const holder = createServer((connection) => connection.destroy());
  await bound(holder, port);
  let isOurs = true;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    giveTo(server, listening) {
      isOurs = false;
      // Node's "server.listen(handle)": the socket that is bound already changes hands.
      server.listen(holder, listening);
    },
    async letGo() {
      if (!isOurs) return;
      isOurs = false;
      await new Promise((resolve) => holder.close(resolve));
    },
  };
}
