/**
 * Measures the cost of a cold GET: import and first call of the shipped `Assets` bundle, compared with the raw SDK.
 * Every sample is a new process on one core. A DynamoDB stub runs on the other core.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { defined, itemAt } from '../shared/checked-access.ts';
import { lambdaModule } from '../toolchain/bundle/esbuild.ts';
import { bundleFile, sampleEventsFolder } from '../toolchain/bundle/paths.ts';
import { bundle } from '../toolchain/bundle.ts';
import { answerOf } from './cold-start/answer.ts';
import { storedItems } from './cold-start/tenant-with-asset.ts';
import { deviationOf, inFolder } from './kit.ts';
import { median, type Report, shuffled } from './report.ts';

const ROUNDS = 25;
/** In percent. If two runs of the control differ by more than this, the machine was too busy for a result. */
const TOLERANCE = 3;
const here = import.meta.dirname;

interface Sample {
  readonly status: number;
  readonly import_ms: number;
  readonly wall_ms: number;
  readonly cpu_ms: number;
  readonly undici: boolean;
}

const control = 'raw SDK (client-dynamodb, one GetItem)';
const twin = 'raw SDK again (A/A)';

export async function run(): Promise<Report> {
  return inFolder(async (folder) => {
    const items = join(folder, 'items.json');
    writeFileSync(items, JSON.stringify(storedItems()));
    const stub = pinned(1, join(here, 'cold-start', 'dynamodb-stub.mjs'), [items], {});
    try {
      const { port } = await answerOf<{ port: number }>(stub);
      const bundles = await rivals(folder);
      return report(await measure(bundles, environment(port)));
    } finally {
      stub.disconnect();
    }
  });
}

/** Returns the paths of the measured bundles, by name. */
async function rivals(folder: string): Promise<Record<string, string>> {
  await bundle();
  const raw = join(folder, 'raw-sdk.mjs');
  await build({
    entryPoints: [join(here, 'rivals', 'raw-sdk.ts')],
    outfile: raw,
    ...lambdaModule,
    // The SDK's CommonJS parts call `require`, which an ES module lacks. Users of the SDK add this line, too.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  return { [control]: raw, [twin]: raw, 'Kinora: GET /v1/assets/{asset_id}': bundleFile('Assets') };
}

/**
 * Takes samples of each rival. Each round takes one sample of each rival, in random order. The first round is not used: it only
 * fills the disk cache.
 */
async function measure(bundles: Record<string, string>, variables: NodeJS.ProcessEnv) {
  const samples = new Map<string, Sample[]>(Object.keys(bundles).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, file] of shuffled(Object.entries(bundles))) {
      const sample = await coldStart(file, variables);
      if (sample.status !== 200) throw new Error(`${name} answered ${sample.status}`);
      if (round > 0) defined(samples.get(name)).push(sample);
    }
  }
  return samples;
}

async function coldStart(file: string, variables: NodeJS.ProcessEnv): Promise<Sample> {
  const event = join(sampleEventsFolder, 'Assets.json');
  const child = pinned(0, join(here, 'cold-start', 'child.mjs'), [file, event], variables);
  return answerOf<Sample>(child);
}

function pinned(core: number, script: string, args: string[], variables: NodeJS.ProcessEnv): ChildProcess {
  return fork(script, args, {
    execPath: 'taskset',
    execArgv: ['-c', String(core), process.execPath],
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Returns the environment variables of Lambda, with the stub as the address of the tables. */
const environment = (port: number): NodeJS.ProcessEnv => ({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
  ENVIRONMENT: 'bench',
  ENGINES: 'aws',
  LOG_LEVEL: 'info',
  SITE_URL: 'https://kinora.example',
  CORE_TABLE: 'Core',
  AUTH_TABLE: 'Auth',
  EPHEMERAL_TABLE: 'Ephemeral',
  MEDIA_BUCKET: 'media',
  DELETE_ASSET_MACHINE_ARN: 'arn:aws:states:eu-central-1:123456789012:stateMachine:DeleteAsset',
});

function report(samples: Map<string, Sample[]>): Report {
  const base = defined(samples.get(control));
  const ratio = (name: string, of: (sample: Sample) => number) =>
    median(defined(samples.get(name)).map((sample, round) => of(sample) / of(itemAt(base, round))));
  const wall = (sample: Sample) => sample.wall_ms;
  return {
    title: 'Cold start of a GET route',
    method:
      `Import and first call in a fresh process pinned to one core, ${ROUNDS} shuffled rounds, DynamoDB stubbed ` +
      'on the other core; ratios are medians of the ratios within a round. The raw SDK makes one request and ' +
      'checks nothing; the route makes two (API key, asset), authenticates, validates and logs. ' +
      'middy + zod + Powertools + lib-dynamodb is left out: those packages are no dependencies of this one.',
    columns: ['wall ms', 'of which import', 'CPU ms', 'wall ratio', 'CPU ratio', 'undici'],
    rows: [...samples].map(([name, taken]) => ({
      name,
      values: [
        median(taken.map(wall)).toFixed(1),
        median(taken.map((sample) => sample.import_ms)).toFixed(1),
        median(taken.map((sample) => sample.cpu_ms)).toFixed(1),
        ratio(name, wall).toFixed(3),
        ratio(name, (sample) => sample.cpu_ms).toFixed(3),
        taken.some((sample) => sample.undici) ? 'loaded' : 'not loaded',
      ],
    })),
    void: deviationOf(ratio(twin, wall), TOLERANCE),
  };
}
