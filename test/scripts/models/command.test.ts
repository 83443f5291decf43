/**
 * Runs `npm run models` against a server that behaves like GitHub's releases. The test makes the model. npm installs
 * the real recognizer once (11 MB, in node_modules/.cache).
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../scripts/models/catalogue.ts';
import { ModelFailure } from '../../../scripts/models/failure.ts';
import { getModel } from '../../../scripts/models/get.ts';
import { installRecognizer } from '../../../scripts/models/package.ts';
import { modelStore } from '../../../scripts/models/store.ts';
import { root } from '../../../toolchain/bundle/paths.ts';
import { finish, requestFor } from '../../engines/transcription/conformance.ts';
import { archiveOf } from '../../support/models/archive.ts';
import { serveRelease } from '../../support/models/release.ts';
import { tokensFile, toneModel, tones } from '../../support/models/tone-model.ts';

const packages = join(root, 'node_modules/.cache/kinora-recogniser');
const packageIsMissing = await installRecognizer(packages, () => {}).then(
  () => null,
  (error) => {
    const isOffline =
      error instanceof ModelFailure && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH/.test(error.message);
    if (isOffline) return 'the npm registry cannot be reached, and the recogniser is not installed';
    throw error;
  },
);

const archive = 'sherpa-onnx-nemo-ctc-en-tones.tar.bz2';
const folder = archive.replace('.tar.bz2', '');
/** Incompressible padding makes the download long enough to interrupt. */
const modelArchive = (model: Buffer, ballast = 0) =>
  archiveOf([
    { name: `${folder}/`, type: '5' },
    { name: `${folder}/model.onnx`, content: model },
    { name: `${folder}/tokens.txt`, content: tokensFile },
    { name: `${folder}/test_wavs/0.wav`, content: randomBytes(ballast) },
  ]);

let home: string;
const models = (...names: string[]) => join(home, 'models', ...names);

const release = await serveRelease({});
beforeEach(() => {
  release.files[archive] = modelArchive(toneModel());
  release.sent.length = 0;
  release.behaviour.pauseMs = 0;
  home = mkdtempSync(join(tmpdir(), 'kinora-models-'));
  mkdirSync(models());
  symlinkSync(packages, models('.package'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});
afterAll(() => release.close());

const environment = () => ({
  PATH: process.env.PATH,
  HOME: home,
  KINORA_LOCAL_DIR: home,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
});

function start(command: string, ...args: string[]) {
  const child = spawn(command, args, { cwd: root, env: environment() });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<{ status: number | null; said: string }>((resolve) =>
    child.once('close', (status) => resolve({ status, said })),
  );
  return { child, ended };
}

const run = (...args: string[]) => start(process.execPath, 'scripts/models.ts', ...args).ended;

const get = (...more: string[]) => run('get', 'tones', '--from', release.url(archive), ...more);

const ownModel = (): Entry => ({
  name: 'tones',
  role: 'speech',
  about: 'hears tones',
  languages: null,
  licence: 'none',
  page: release.url(archive),
  sources: [{ url: release.url(archive), bytes: null, sha256: null }],
  unpacked_mb: 0,
});

/** Runs in this process, because starting another one is slow. The model is still tried in its own process. */
const fetchHere = () => getModel(modelStore(home), ownModel());

/** The model that a step of a job uses now, as seen by a running process. */
async function engineAsStepsSeeIt() {
  vi.stubEnv('ENGINES', 'local');
  vi.stubEnv('SETTINGS_FILE', models('in-use.json'));
  vi.resetModules();
  const [{ transcription }, { availability }] = await Promise.all([
    import('../../../platform/runtime/transcription.ts'),
    import('../../../platform/runtime/engines.ts'),
  ]);
  return { transcription, availability };
}

describe('npm run models', () => {
  it('lists sizes, languages and licenses without a download', async () => {
    const { status, said } = await run();
    expect(status).toBe(0);
    expect(said).toMatch(/parakeet-v3 +487 MB .*25 European languages[\s\S]*CC BY 4\.0 \(NVIDIA\); bg hr cs/);
    expect(said).toContain('PocketSphinx, which is for clear English only');
    expect(readdirSync(models()).sort()).toEqual(['.package']);
  });

  it('reports wrong arguments', async () => {
    const wrong: [string[], string][] = [
      [['get', 'parakeet-v9'], 'There is no model parakeet-v9 in the list'],
      [['use', 'parakeet-v3'], 'npm run models get parakeet-v3'],
      [['get', '../outside', '--from', 'http://localhost/x'], 'cannot be the name'],
      [['get', 'mine', '--from', 'file:///etc/passwd'], 'is no HTTP address'],
      [['fetch', 'x'], 'Usage:'],
    ];
    for (const [args, why] of wrong)
      expect(await run(...args)).toEqual({ status: 1, said: expect.stringContaining(why) });
  });
});

describe.skipIf(packageIsMissing !== null)(`an installed model ${packageIsMissing ?? ''}`, () => {
  it('is used by the next job without a restart, until it is removed', async () => {
    const { transcription, availability } = await engineAsStepsSeeIt();
    const before = await transcription();
    expect(before.supports('de')).toBe(false);

    const { status, said } = await get('--languages', 'en,de');
    expect(said).toMatch(
      /Languages: en de[\s\S]*kept, and checked from now on[\s\S]*in use from the next job on/,
    );
    expect(status).toBe(0);
    expect((await run('list')).said).toMatch(/\* tones .*your own; en de/);

    expect(availability('transcription', { language: 'de' })).toEqual({ status: 'available' });
    const engine = await transcription();
    const samples = tones(10_000, [
      { hz: 300, from_ms: 3000, to_ms: 3500 },
      { hz: 5000, from_ms: 5000, to_ms: 5500 },
      { hz: 1500, from_ms: 8000, to_ms: 8500 },
    ]);
    const piece = { index: 1, start_ms: 2000, end_ms: 10_000 };
    const { words, language } = await finish(engine, piece, requestFor({ samples, language: 'de' }));
    expect(words.map(({ text }) => text)).toEqual(['low', 'high', 'mid']);
    [3000, 5000, 8000].forEach((start, i) => {
      expect(Math.abs(words[i]!.start_ms - start)).toBeLessThanOrEqual(100);
      expect(Math.abs(words[i]!.end_ms - start - 500)).toBeLessThanOrEqual(500);
    });
    expect(language).toBe('de');

    expect((await run('remove', 'tones')).said).toContain('PocketSphinx is used again');
    expect(existsSync(models('tones'))).toBe(false);
    expect((await transcription()).supports('de')).toBe(false);
  });

  it('stays in use until another is chosen', async () => {
    await get('--no-use');
    expect(modelStore(home).isInUse(ownModel())).toBe(false);
    expect((await run('use', 'tones')).said).toContain('in use from the next job on');
    expect(modelStore(home).isInUse(ownModel())).toBe(true);
  });

  it('must have the checksum of its first download', async () => {
    await fetchHere();
    modelStore(home).remove(ownModel());
    release.files[archive] = modelArchive(toneModel(), 100);
    await expect(fetchHere()).rejects.toThrow('has the SHA-256');
    expect(existsSync(models('tones'))).toBe(false);
  });

  it.each<[string, () => Buffer, string]>([
    ['is damaged', () => modelArchive(toneModel()).subarray(0, 700), 'The archive is damaged'],
    [
      'contains no model',
      () => archiveOf([{ name: 'x/readme.txt', content: 'hello' }]),
      'has no known model',
    ],
    [
      'contains a model that does not load',
      () => modelArchive(randomBytes(500)),
      'does not run, so it is not used',
    ],
  ])(
    'cannot be installed, leaves nothing behind, and can be installed later, if its archive %s',
    async (_, bytes, why) => {
      release.files[archive] = bytes();
      await expect(fetchHere()).rejects.toThrow(why);
      expect(readdirSync(models()).sort()).toEqual(['.downloads', '.package']);
      expect(readdirSync(models('.downloads'))).toEqual([]);
      release.files[archive] = modelArchive(toneModel());
      await fetchHere();
      const installed = { name: 'tones', kind: 'nemo_ctc', languages: ['en'] };
      expect(modelStore(home).installed()).toMatchObject([installed]);
    },
  );

  it('continues its download after kill -9, without repeating bytes', async () => {
    release.files[archive] = modelArchive(toneModel(), 1_500_000);
    release.behaviour.pauseMs = 5;
    const args = ['get', 'tones', '--from', release.url(archive)];
    const { child, ended } = start(process.execPath, 'scripts/models.ts', ...args);
    const part = models('.downloads', `${archive}.part`);
    await vi.waitFor(() => expect(statSync(part).size).toBeGreaterThan(200_000), {
      timeout: 120_000,
      interval: 5,
    });
    child.kill('SIGKILL');
    await ended;
    const kept = statSync(part).size;
    expect(kept).toBeLessThan(release.files[archive].length);
    expect(existsSync(models('tones'))).toBe(false);

    release.behaviour.pauseMs = 0;
    release.sent.length = 0;
    expect((await get()).status).toBe(0);
    expect(release.sent).toEqual([
      { path: archive, from: kept, bytes: release.files[archive].length - kept, status: 206 },
    ]);
  });

  it('continues its unpacking after kill -9, without a download', async () => {
    mkdirSync(models('.downloads'), { recursive: true });
    writeFileSync(models('.downloads', archive), release.files[archive]!);
    mkdirSync(models('.unpacking', 'archives', folder), { recursive: true });
    writeFileSync(models('.unpacking', 'archives', folder, 'model.onnx'), 'half of it');
    await fetchHere();
    expect(release.sent).toEqual([]);
    expect(readdirSync(models()).sort()).toEqual(['.downloads', '.package', 'checksums.json', 'tones']);
  });

  it('is not partly installed on a full disk, and is installed after space is available', async ({
    skip,
  }) => {
    const mount = (size: string) => `mount -t tmpfs -o size=${size} kinora "${models('.downloads')}"`;
    mkdirSync(models('.downloads'));
    const isAllowed = spawnSync('unshare', ['-rm', 'sh', '-c', mount('1m')]).status === 0;
    skip(!isAllowed, 'this machine does not permit mounting a small disk');
    release.files[archive] = modelArchive(toneModel(), 1_500_000);
    const command = `${process.execPath} scripts/models.ts get tones --from ${release.url(archive)}`;
    const roomAgain = `mount -o remount,size=10m "${models('.downloads')}"`;
    const script = `${mount('1m')}; ${command}; echo "ended with $?"; ls -s "${models('.downloads')}"; ${roomAgain}; ${command}`;
    const { status, said } = await start('unshare', '-rm', 'sh', '-c', script).ended;
    expect(said).toMatch(
      /The disk is full\. Make room[\s\S]*ended with 1[\s\S]*\.part[\s\S]*in use from the next job on/,
    );
    expect(status).toBe(0);
    const [first, second] = release.sent;
    expect(first).toMatchObject({ from: 0, status: 200 });
    expect(second!.from).toBeGreaterThan(900_000);
  });
});
