/** Runs the programs of `examples/` against a local cloud, as their README describes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect } from 'vitest';
import { buildClient, clientFolder } from '../../scripts/client.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { it } from './support.ts';

let cloud: LocalCloud;
let folder: string;
let talk: string;
let receiver: ChildProcess;
let received = '';

const environment = () => ({
  ...process.env,
  KINORA_URL: cloud.ready.api_url,
  KINORA_API_KEY: cloud.ready.api_key,
});
const run = async (...args: string[]) =>
  (await promisify(execFile)('node', args, { cwd: folder, env: environment() })).stdout;

it.beforeAll(async ({ cloud: running }) => {
  buildClient();
  folder = mkdtempSync(join(tmpdir(), 'kinora-examples-'));
  cpSync('examples', folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules/@kinora'), { recursive: true });
  symlinkSync(clientFolder, join(folder, 'node_modules/@kinora/client'));
  talk = join(folder, 'talk.m4a');
  cpSync('content/canary/kinora-canary.m4a', talk);
  cloud = running;
  receiver = spawn('node', ['receive-webhooks.mjs'], { cwd: folder, env: environment() });
  receiver.stdout?.on('data', (chunk) => {
    received += chunk;
  });
});
afterAll(async () => {
  receiver.kill('SIGINT');
  rmSync(folder, { recursive: true });
});

describe('the example', () => {
  it('receive-webhooks creates a webhook', async () => {
    await expect.poll(() => received, { timeout: 60_000 }).toContain('Receiving events');
  });

  it('subtitle-video writes both formats of subtitles', async () => {
    await run('subtitle-video.mjs', talk);
    expect(readFileSync(`${talk}.vtt`, 'utf8')).toMatch(/^WEBVTT\n/);
    expect(readFileSync(`${talk}.srt`, 'utf8')).toMatch(/^1\n00:00:0/);
  });

  it('dub-video saves the dubbed audio', async () => {
    await run('dub-video.mjs', talk);
    expect(readFileSync(`${talk}.es.m4a`).subarray(4, 8).toString()).toBe('ftyp');
  });

  it('receive-webhooks prints verified events', async () => {
    await expect.poll(() => received, { timeout: 60_000 }).toMatch(/^asset\.ready \S+-\S+$/m);
  });
});
