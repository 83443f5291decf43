/** The package as its users have it: packed, installed elsewhere without a network, and used against the API. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';
import { buildClient, clientFolder } from '../../scripts/client.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { startTestApi } from '../support/test-api.ts';

const run = promisify(execFile);

const api = await startTestApi();
const acme = await api.tenant('acme');

const server = createServer(async (request, response) => {
  const sent = await text(request);
  const body = sent === '' ? undefined : JSON.parse(sent);
  const reply = await acme.call(
    request.method!,
    request.url!,
    body,
    request.headers as Record<string, string>,
  );
  const { 'Content-Encoding': _, ...headers } = reply.headers;
  response.writeHead(reply.status, headers).end(reply.bytes);
});
const { url } = await listen(server, 0);
const folder = mkdtempSync(join(tmpdir(), 'kinora-client-'));
beforeAll(install);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function install(): void {
  buildClient();
  const cache = ['--cache', join(folder, '.npm')];
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  execFileSync('npm', ['pack', clientFolder, ...cache], options);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', ...cache, `./${tarball}`], options);
}

/** Writes a program beside the installed package, and runs it. */
async function output(name: string, source: string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, source);
  const env = { ...process.env, KINORA_URL: url, KINORA_API_KEY: acme.key };
  return (await run(process.execPath, [file], { cwd: folder, env })).stdout;
}

describe('the packed client', () => {
  it('contains only its code, its declarations and the files that npm requires', () => {
    const installed = join(folder, 'node_modules', '@kinora', 'client');
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const strays = readdirSync(join(installed, 'dist')).filter((name) => !/\.(js|d\.ts)$/.test(name));
    expect(strays).toEqual([]);
  });

  it('works from JavaScript: complete lists, ETags, problems, repeated requests, uploads, subtitles', async () => {
    const asset = await acme.readyAsset();
    const transcription = await acme.transcribed(asset, ['hello']);
    const printed = await output(
      'use.js',
      `import { Kinora, ProblemError, uploadAsset } from '@kinora/client';
      const kinora = new Kinora({ url: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY });
      for (const name of ['a', 'b', 'c', 'd', 'e']) await kinora.createCollection({ body: { name } });
      const names = [];
      for await (const { name } of kinora.listCollections({ items: 2 })) names.push(name);
      const sizes = [];
      for await (const { data } of kinora.listCollections({ items: 2 }).pages()) sizes.push(data.length);
      const { data: [first], total } = await kinora.listCollections({ items: 1 });
      const { collection_id } = first;
      const { etag, status } = await kinora.getCollection({ collection_id }).withResponse();
      await kinora.updateCollection({ collection_id, body: { name: 'z' } }, { ifMatch: etag });
      const again = await kinora
        .updateCollection({ collection_id, body: { name: 'y' } }, { ifMatch: etag })
        .catch((error) => (error instanceof ProblemError ? error.code : error));
      const subtitles = await kinora.getSrt({ asset_id: '${asset}', transcription_id: '${transcription}' });
      const create = () => kinora.createAsset({ body: { filename: 'b.mp4' } }, { idempotencyKey: 'once' });
      const [{ asset_id }, repeated] = [await create(), await create()];
      const media = new Blob([new Uint8Array(9 * 2 ** 20)]);
      let sent = 0;
      const { job_id } = await uploadAsset(kinora, asset_id, media, { onSent: (bytes) => (sent = bytes) });
      const job = await kinora.getIngestJob({ asset_id, job_id });
      const isOne = repeated.asset_id === asset_id && job.job_id === job_id && sent === media.size;
      console.log(JSON.stringify({ names, sizes, total, etag, status, again, subtitles, isOne, job }));`,
    );
    expect(JSON.parse(printed)).toEqual({
      names: ['e', 'd', 'c', 'b', 'a'],
      sizes: [2, 2, 1],
      total: 5,
      etag: '"1"',
      status: 200,
      again: 'precondition_failed',
      subtitles: expect.stringContaining('hello'),
      isOne: true,
      job: expect.objectContaining({ type: 'ingest', status: 'queued' }),
    });
  });

  it('works from TypeScript, with types for the input and output of each call', async () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { type Asset, jobEnd, Kinora, replayEvents, uploadAsset } from '@kinora/client';
      const kinora = new Kinora({ url: 'http://127.0.0.1', apiKey: 'knr', timeoutMs: 5000 });
      export async function use(media: Blob, signal: AbortSignal): Promise<string | null> {
        const { data, etag } = await kinora.createAsset({ body: { filename: 'a.mp4' } }).withResponse();
        const asset: Asset = data;
        const job = await uploadAsset(kinora, asset.asset_id, media, { signal });
        await jobEnd(() => kinora.getIngestJob({ asset_id: asset.asset_id, job_id: job.job_id }));
        for await (const { name } of kinora.listAssets({ sentiment: 'Neutral' }, { signal })) name.toUpperCase();
        for await (const { type } of replayEvents(kinora)) type.startsWith('asset.');
        const transcription_id = 't';
        const stl: Uint8Array = await kinora.getStl({ asset_id: 'a', transcription_id });
        // @ts-expect-error a member that the API does not know
        await kinora.createAsset({ body: { filename: 'a.mp4', surprise: stl } });
        // @ts-expect-error a filename is needed
        await kinora.createAsset({ body: {} });
        return etag;
      }`,
    );
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022' },
      ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: [], module: 'nodenext' },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const checked = await run(process.execPath, [compiler, '--project', folder]).catch((error) => error);
    expect(checked.stdout).toBe('');
  });
});
