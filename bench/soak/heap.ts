/** Measures the live heap of a Node process after a garbage collection, with its inspector. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../shared/checked-access.ts';

/**
 * The address where SIGUSR1 opens the inspector: https://nodejs.org/api/cli.html#--inspecthostport. Only one process at
 * a time can use it.
 */
const INSPECTOR = 'http://127.0.0.1:9229/json';
const OPEN_MS = 10_000;
/** The number of collections. A collection may leave memory that only the next collection can free. */
const COLLECTIONS = 3;

/**
 * Returns the bytes of the process's heap after garbage collection. Null if the inspector of another program uses the
 * address.
 */
export async function liveHeapOf(pid: number): Promise<number | null> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await opened());
  await once(socket, 'open');
  const evaluated = async (expression: string) => {
    const { result } = await asked(socket, 'Runtime.evaluate', { expression });
    return defined(result).value;
  };
  try {
    if ((await evaluated('process.pid')) !== pid) return null;
    for (let nth = 0; nth < COLLECTIONS; nth += 1) await asked(socket, 'HeapProfiler.collectGarbage');
    return await evaluated('process.memoryUsage().heapUsed');
  } finally {
    // This closes the inspector's own connection, so no answer comes.
    const expression = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 50)`;
    socket.send(JSON.stringify({ id: 0, method: 'Runtime.evaluate', params: { expression } }));
    await sleep(500);
    socket.close();
  }
}

async function opened(): Promise<string> {
  for (const end = Date.now() + OPEN_MS; ; await sleep(100)) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Requests are sent one after another, and events are off. So the next message is the answer. */
async function asked(
  socket: WebSocket,
  method: string,
  params: object = {},
): Promise<{ readonly result?: { readonly value: number } }> {
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
  return JSON.parse(data).result;
}
