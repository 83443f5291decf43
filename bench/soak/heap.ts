/** Measures the live heap of a Node process after a garbage collection, with its inspector. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The address where SIGUSR1 opens the inspector: https://nodejs.org/api/cli.html#--inspecthostport. Only one process at
 * a time can use it.
 */
const INSPECTOR = 'http://127.0.0.1:9229/json';
const OPEN_MS = 10_000;
/** The number of collections. Each may leave memory that only the next one can free. */
const COLLECTIONS = 3;

interface Target {
  readonly webSocketDebuggerUrl: string;
}

/**
 * Returns the bytes of the process's heap after garbage collection. Null if the inspector of another program uses the
 * address.
 */
export async function liveHeapOf(pid: number): Promise<number | null> {
  process.kill(pid, 'SIGUSR1');
  const target = await opened();
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  try {
    if ((await evaluated(socket, 'process.pid')) !== pid) return null;
    for (let nth = 0; nth < COLLECTIONS; nth += 1) await sent(socket, 'HeapProfiler.collectGarbage');
    return await evaluated(socket, 'process.memoryUsage().heapUsed');
  } finally {
    // This closes the inspector's own connection, so no answer comes.
    const expression = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 50)`;
    socket.send(JSON.stringify({ id: 0, method: 'Runtime.evaluate', params: { expression } }));
    await sleep(500);
    socket.close();
  }
}

async function opened(): Promise<Target> {
  for (const end = Date.now() + OPEN_MS; ; await sleep(100)) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as Target[];
      if (target !== undefined) return target;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

const evaluated = async (socket: WebSocket, expression: string): Promise<number> =>
  ((await sent(socket, 'Runtime.evaluate', { expression })) as { result: { value: number } }).result.value;

let last = 0;

function sent(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    socket.addEventListener('message', function listen({ data }) {
      const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (message.id !== id) return;
      socket.removeEventListener('message', listen);
      resolve(message.result);
    });
    socket.send(JSON.stringify({ id, method, params }));
  });
}
