/** The local cloud as a separate process in its own folder, as `npm start` runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kinora } from '../../client/index.ts';
import { layoutOf } from '../../local/layout.ts';
import { type Ready, readReady } from '../../local/ready.ts';

export class LocalCloud {
  readonly folder: string;
  #child: ChildProcess | undefined;
  #output = '';
  ready!: Ready;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts the cloud and waits until all of its servers answer. */
  async start(): Promise<void> {
    this.#output = '';
    const child = spawn('node', ['scripts/start.ts'], {
      env: { ...process.env, KINORA_LOCAL_DIR: this.folder, PORT_API: '0', PORT_SITE: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString('utf8');
      });
    }
    for (;;) {
      const ready = await readReady(layoutOf(this.folder).ready);
      if (ready !== undefined && ready.pid === child.pid) {
        this.ready = ready;
        return;
      }
      if (child.exitCode !== null) throw new Error(`The local cloud ended:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Names of the media programs that run for the cloud now. */
  programs(): string[] {
    const names = descendantsOf(this.#child!.pid!).map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      } catch {
        return '';
      }
    });
    return names.filter((name) => /^(ffmpeg|ffprobe|pocketsphinx)/.test(name));
  }

  /** Kills the cloud and all processes that it started, at once, like a power cut. */
  async killAll(): Promise<void> {
    const child = this.#child!;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    for (const pid of [child.pid!, ...descendantsOf(child.pid!)]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process ended meanwhile.
      }
    }
    await exited;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The client, with the demo tenant's key. */
  get kinora(): Kinora {
    return new Kinora({ url: this.ready.api_url, apiKey: this.ready.api_key });
  }

  /** Calls the API with the demo tenant's key, and returns the unmodified response. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ): Promise<{ status: number; json: any; text: string }> {
    const response = await fetch(this.ready.api_url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.ready.api_key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, json: isJson ? JSON.parse(text) : null, text };
  }
}

export async function localCloud(): Promise<LocalCloud> {
  const cloud = new LocalCloud(await mkdtemp(join(tmpdir(), 'kinora-cloud-')));
  await cloud.start();
  return cloud;
}

/** Returns all descendants, found in /proc. */
function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), Number(ppid));
    } catch {
      // The process ended meanwhile.
    }
  }
  const children = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...children(child)]);
  return children(pid);
}
