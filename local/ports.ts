/** Chooses the ports of the local cloud, and holds them during its start. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { bound, type HeldPort, PortTaken } from './listen.ts';
import { readJson, writeJson } from './state.ts';

/**
 * The range of the chosen ports. Higher ports are used by Linux (from 32,768, ip_local_port_range) and other systems (from 49,152,
 * RFC 6335 §6) for outgoing connections and for programs that ask for any port.
 */
const CHOSEN = { from: 20_000, to: 32_768 };
const TRIES = 100;

/** Holds a port; 0 chooses any free port. Throws PortTaken if another program listens on the given port. */
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
 * Holds a port for each name. The ports are the same at every start, because presigned URLs contain them. If another program uses a
 * port, chooses a new port and reports it.
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

/** Returns a port that no program uses at the moment. */
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
      // Node's "server.listen(handle)": the server gets the socket that is already bound.
      server.listen(holder, listening);
    },
    async letGo() {
      if (!isOurs) return;
      isOurs = false;
      await new Promise((resolve) => holder.close(resolve));
    },
  };
}
