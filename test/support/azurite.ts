/** Azurite, Microsoft's emulator of Azure Blob Storage, with one container and its signatures. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../local/ports.ts';

/** "Use the Azurite emulator", well-known storage account and key. */
const account = 'devstoreaccount1';
const key = Buffer.from(
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'base64',
);
const container = 'exports';

export async function startAzurite() {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('azurite/package.json')),
    'dist/src/blob/main.js',
  );
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'kinora-azurite-'));
  // The SDK uses a newer API version than Azurite knows.
  const flags = ['--inMemoryPersistence', '--disableTelemetry', '--silent', '--skipApiVersionCheck'];
  const options = ['--blobPort', String(port), ...flags];
  const child = spawn('node', [program, ...options], { cwd: folder, stdio: 'ignore' });
  const blob_url = `http://127.0.0.1:${port}/${account}/${container}`;
  const ask = async (method: string, path: string, token: string) => {
    const sent = request(`${blob_url}${path}${path.includes('?') ? '&' : '?'}${token}`, { method });
    sent.setHeader('x-ms-version', '2021-12-02');
    sent.end();
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
    sent.on('response', resolve).on('error', reject);
    const response = await promise;
    return { status: response.statusCode!, headers: response.headers, body: await text(response) };
  };
  const create = () => ask('PUT', '?restype=container', accountSas('rwdlac'));
  for (let attempt = 0; ; attempt += 1) {
    const made = await create().catch(() => null);
    if (made?.status === 201) break;
    if (attempt > 200) throw new Error(`Azurite does not answer: ${made?.body}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    blob_url,
    sas,
    get: (path: string) => ask('GET', `/${path.split('/').map(encodeURIComponent).join('/')}`, sas('r')),
    put: async (path: string) => ask('PUT', `/${path}?comp=blocklist`, sas('cw')),
    close: async () => {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Azurite = Awaited<ReturnType<typeof startAzurite>>;

const VERSION = '2020-12-06';
const inOneHour = () => new Date(Date.now() + 3_600_000);

/** A service SAS of the container. "Create a service SAS", version 2020-12-06 and later. */
function sas(permissions: string, expiry: Date = inOneHour()): string {
  const se = `${expiry.toISOString().slice(0, 19)}Z`;
  const fields = [
    ...[permissions, '', se, `/blob/${account}/${container}`, '', '', '', VERSION, 'c', '', ''],
    ...['', '', '', '', ''],
  ];
  const sig = createHmac('sha256', key).update(fields.join('\n')).digest('base64');
  return new URLSearchParams({ sv: VERSION, sr: 'c', sp: permissions, se, sig }).toString();
}

function accountSas(permissions: string): string {
  const se = `${inOneHour().toISOString().slice(0, 19)}Z`;
  const fields = [account, permissions, 'b', 'sco', '', se, '', '', VERSION, '', ''];
  const sig = createHmac('sha256', key).update(fields.join('\n')).digest('base64');
  return new URLSearchParams({ sv: VERSION, ss: 'b', srt: 'sco', sp: permissions, se, sig }).toString();
}
