import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../bench/cold-start/answer.ts';
import { resourceNames } from '../../contract/index.ts';
import { scopes } from '../../contract/kit/scopes.ts';
import { logicalIdOf } from '../../lib/api/api-stack.ts';
import { apiSettings } from '../../lib/api/functions.ts';
import { listeners, schedules, steps } from '../../lib/jobs/steps.ts';
import { hashOfKey, keyIdOf } from '../../shared/api-keys.ts';
import {
  bundleFile,
  lambdasFolder,
  metaFile,
  root,
  sampleEventsFolder,
} from '../../toolchain/bundle/paths.ts';
import { sampleKey } from '../../toolchain/bundle/sample-events.ts';
import { bundled } from './built.ts';

const resources = resourceNames.map((name) => name[0]!.toUpperCase() + name.slice(1));
const api = [...resources, 'Fallback', 'Reference'];
const beyondApi = [...Object.keys(steps), ...Object.keys(schedules), ...Object.keys(listeners)];
const all = [...api, ...beyondApi];

const storageSteps = ['ClearExport', 'FailExport', 'WriteExport'];
const routes = (withFiles: boolean) => resources.filter((name) => handlesFiles(name) === withFiles);
const runs = (withFiles: boolean) =>
  beyondApi.filter(
    (name) => handlesFiles(name) === withFiles && ![...storageSteps, 'AnalyzeText'].includes(name),
  );

const handlesFiles = (name: string): boolean => {
  const resource = resourceNames.find((resource) => logicalIdOf(resource) === name);
  const settings = steps[name] ?? schedules[name] ?? listeners[name];
  return (resource ? apiSettings[resource] : settings?.permissions)?.media !== undefined;
};

/** Sizes of 2026-11-23. */
const budgets = [
  { group: 'functions without tables', functions: ['Fallback', 'Reference'], mean_KB: 16, largest_KB: 20 },
  { group: 'routes that read no files', functions: routes(false), mean_KB: 267, largest_KB: 337 },
  { group: 'routes that read or write files', functions: routes(true), mean_KB: 492, largest_KB: 536 },
  { group: 'steps that read no files', functions: runs(false), mean_KB: 213, largest_KB: 244 },
  { group: 'steps that read or write files', functions: runs(true), mean_KB: 452, largest_KB: 530 },
  // The SDK of Azure.
  { group: 'steps that write to storages', functions: storageSteps, mean_KB: 1075, largest_KB: 1076 },
  // compromise, which knows the grammar of English.
  { group: 'the step with a grammar', functions: ['AnalyzeText'], mean_KB: 858, largest_KB: 858 },
];
const REFERENCE_FILES_KB = 2983;
const GROWTH = 1.05;

/** Processes of the benchmark: a cold start, and DynamoDB's stand-in. */
const coldStart = join(root, 'bench', 'cold-start', 'child.mjs');
const dynamodb = join(root, 'bench', 'cold-start', 'dynamodb-stub.mjs');

interface ColdStart {
  readonly status: number;
  readonly undici: boolean;
  readonly zlib: boolean;
}

let folder: string;
let stub: ReturnType<typeof fork>;
let endpoint: string;

beforeAll(async () => {
  bundled();
  ({ outputs } = JSON.parse(readFileSync(metaFile, 'utf8')));
  folder = mkdtempSync(join(tmpdir(), 'kinora-bundles-'));
  const items = join(folder, 'items.json');
  writeFileSync(items, JSON.stringify(itemOfTheSampleKey()));
  stub = fork(dynamodb, [items]);
  const { port } = await answerOf<{ port: number }>(stub);
  endpoint = `http://127.0.0.1:${port}`;
});

afterAll(() => {
  stub.disconnect();
  rmSync(folder, { recursive: true });
});

/** The key of the sample events, as the Auth table stores it. */
function itemOfTheSampleKey() {
  const text = sampleKey;
  const id = keyIdOf(text)!;
  const created_at = '2026-11-21T09:30:00.000Z';
  const key = { id, tenant: 'demo', name: '', hash: hashOfKey(text), scopes: [...scopes], status: 'active' };
  return { [`KEY#${id}`]: marshall({ pk: `KEY#${id}`, sk: 'KEY', ...key, created_at, expires_at: null }) };
}

async function startCold(id: string): Promise<ColdStart> {
  const child = fork(coldStart, [bundleFile(id), join(sampleEventsFolder, `${id}.json`)], {
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      SITE_URL: 'https://kinora.example',
      CORE_TABLE: 'Core',
      AUTH_TABLE: 'Auth',
      EPHEMERAL_TABLE: 'Ephemeral',
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return answerOf<ColdStart>(child);
}

/** The part of esbuild's report on the bundles that the tests read. */
let outputs: Readonly<
  Record<string, { readonly inputs: object; readonly imports: readonly { readonly path: string }[] }>
>;
const outputOf = (id: string) => outputs[`build/lambdas/${id}/index.mjs`]!;
const inputsOf = (id: string) => Object.keys(outputOf(id).inputs);

describe('the bundles', () => {
  it.each(budgets)('of $group are not larger than their budget', ({ functions, mean_KB, largest_KB }) => {
    const sizes = functions.map((name) => ({ name, size: statSync(bundleFile(name)).size / 1024 }));
    const mean = sizes.reduce((sum, { size }) => sum + size, 0) / sizes.length;
    const tooLarge = sizes.filter(({ size }) => size > largest_KB * GROWTH);
    const advice =
      'remove the import that the function gained, or raise the budget in this file and write the reason';
    const overBudget = tooLarge.map(
      ({ name, size }) => `${name}: ${Math.round(size)} KB, budget ${Math.floor(largest_KB * GROWTH)} KB`,
    );
    expect(overBudget, advice).toEqual([]);
    expect(mean, `mean in KB; ${advice}`).toBeLessThan(mean_KB * GROWTH);
  });

  it('of the API reference are stored with the files that they need', () => {
    const folder = join(lambdasFolder, 'Reference', 'files');
    // zlib's output differs between processors.
    const files = readdirSync(folder).filter((file) => !/\.(br|gz)$/.test(file));
    const total = files.reduce((sum, file) => sum + statSync(join(folder, file)).size / 1024, 0);
    expect(total).toBeLessThan(REFERENCE_FILES_KB * GROWTH);
  });

  it.each([
    [
      'schema library, and no code that only builds and deploys',
      /node_modules\/(typebox|aws-cdk-lib|constructs|cdk-nag|esbuild|ajv\/dist\/(?!runtime\/)|ajv-formats)/,
    ],
    [
      'way to read credentials except from the environment',
      /credential-provider-(sso|ini|process|http|web-identity|imds|login)|token-providers|nested-clients/,
    ],
  ])('contain no %s', (_, pattern) => {
    const strays = all.flatMap((id) => inputsOf(id).filter((input) => pattern.test(input)));
    expect(strays).toEqual([]);
  });

  it('contain no source map and import nothing from other files', () => {
    for (const id of all) {
      expect(readFileSync(bundleFile(id), 'utf8').includes('sourceMappingURL'), id).toBe(false);
      // proxy-agent loads kerberos only for a proxy that requires it.
      expect(
        outputOf(id).imports.filter(({ path }) => path !== 'kerberos'),
        id,
      ).toEqual([]);
    }
  });

  it('of Languages contain the declarations of engines, and no engine', () => {
    const carried = inputsOf('Languages').filter((input) => /(?:^|\/)engines\//.test(input));
    expect(carried.sort()).toEqual([
      'build/engines/declarations.js',
      'engines/engine.ts',
      'engines/selection.ts',
    ]);
  });

  it('of EraseAsset contain no S3 client, because it needs none', () => {
    const id = 'EraseAsset';
    expect(inputsOf(id).filter((input) => input.includes('client-s3'))).toEqual([]);
  });

  // The exact responses prove that the handler reached DynamoDB.
  const answers: Readonly<Record<string, number>> = {
    Languages: 200,
    Search: 422,
    Usage: 200,
    Reference: 200,
  };
  // The other bundles contain S3's client, which loads zlib.
  const withoutFiles: readonly string[] = routes(false);

  it.each(api)('process their sample event from a cold start without loading undici: %s', async (id) => {
    const { status, undici, zlib } = await startCold(id);
    expect({ status, undici }).toEqual({ status: answers[id] ?? 404, undici: false });
    if (withoutFiles.includes(id)) expect(zlib).toBe(false);
  });
});
