import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../bench/cold-start/answer.ts';
import { resourceNames } from '../../contract/index.ts';
import { scopes } from '../../contract/kit/scopes.ts';
import { logicalIdOf } from '../../lib/api/api-stack.ts';
import { apiSettings } from '../../lib/api/functions.ts';
import { stepNames } from '../../lib/jobs/definitions.ts';
import { listenerNames } from '../../lib/jobs/listeners.ts';
import { scheduleNames } from '../../lib/jobs/schedules.ts';
import { hashOfKey, keyIdOf } from '../../shared/api-keys.ts';
import { metaFile, root } from '../../toolchain/bundle/paths.ts';
import {
  acceptedSizes,
  bundleFile,
  measureSizes,
  SIZE_TOLERANCE_BYTES,
} from '../../toolchain/bundle/sizes.ts';
import { bundled } from './built.ts';

const resources = resourceNames.map((name) => name[0]!.toUpperCase() + name.slice(1));
const api = [...resources, 'Fallback', 'Reference'];
const all = [...api, ...stepNames(), ...scheduleNames(), ...listenerNames()];

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

/** The key that the sample events carry, as the Auth table would hold it. */
function itemOfTheSampleKey() {
  const { headers } = JSON.parse(readFileSync(join(root, 'events', 'Assets.json'), 'utf8'));
  const text = headers.authorization.slice('Bearer '.length);
  const id = keyIdOf(text)!;
  const created_at = '2026-11-21T09:30:00.000Z';
  const key = { id, tenant: 'demo', name: '', hash: hashOfKey(text), scopes: [...scopes], status: 'active' };
  return { [`KEY#${id}`]: marshall({ pk: `KEY#${id}`, sk: 'KEY', ...key, created_at, expires_at: null }) };
}

async function startCold(id: string): Promise<ColdStart> {
  const child = fork(coldStart, [bundleFile(id), join(root, 'events', `${id}.json`)], {
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

/** What esbuild says of a bundle. */
const outputOf = (id: string) =>
  JSON.parse(readFileSync(metaFile, 'utf8')).outputs[`build/lambdas/${id}/index.mjs`] as {
    readonly inputs: object;
    readonly imports: readonly object[];
  };

const inputsOf = (id: string) => Object.keys(outputOf(id).inputs);

describe('the bundles', () => {
  // To the byte, branches of different people would collide in every line.
  it('have the sizes that were accepted, within a KB; `node toolchain/bundle.ts --accept-sizes` accepts new ones', () => {
    const sizes = measureSizes(all);
    const accepted = acceptedSizes();
    expect(Object.keys(sizes)).toEqual(Object.keys(accepted));
    const changed = Object.entries(sizes).filter(
      ([name, size]) => Math.abs(size - accepted[name]!) > SIZE_TOLERANCE_BYTES,
    );
    expect(changed.map(([name, size]) => `${name}: ${accepted[name]} → ${size}`)).toEqual([]);
  });

  it.each(all)('%s carries neither a schema library nor what only builds and deploys', (id) => {
    const strays = inputsOf(id).filter((input) =>
      /node_modules\/(typebox|aws-cdk-lib|constructs|cdk-nag|esbuild|ajv\/dist\/(?!runtime\/)|ajv-formats)/.test(
        input,
      ),
    );
    expect(strays).toEqual([]);
  });

  it.each(all)('%s carries no source map and imports nothing from outside', (id) => {
    expect(readFileSync(bundleFile(id), 'utf8').includes('sourceMappingURL')).toBe(false);
    expect(outputOf(id).imports).toEqual([]);
  });

  it('Languages carries what engines declare, and no engine', () => {
    const carried = inputsOf('Languages').filter((input) => input.startsWith('engines/'));
    expect(carried.sort()).toEqual(['engines/declarations.ts', 'engines/engine.ts', 'engines/selection.ts']);
  });

  it('EraseAsset carries no client of S3, which it does not need', () => {
    const id = 'EraseAsset';
    expect(inputsOf(id).filter((input) => input.includes('client-s3'))).toEqual([]);
  });

  it.each(all)('%s reads credentials from the environment and knows no other place', (id) => {
    const chain =
      /credential-provider-(sso|ini|process|http|web-identity|imds|login)|token-providers|nested-clients/;
    expect(inputsOf(id).filter((input) => chain.test(input))).toEqual([]);
  });

  // A handler that failed before it called DynamoDB would prove nothing: hence the exact answers.
  const answers: Record<string, number> = {
    AssetLifecycle: 404,
    Assets: 404,
    Uploads: 404,
    Transcriptions: 404,
    Languages: 200,
    Segments: 404,
    Speakers: 404,
    Templates: 404,
    WordLists: 404,
    Brandings: 404,
    BrandingMedia: 404,
    Views: 404,
    Collections: 404,
    ExternalStorages: 404,
    AdminStorages: 404,
    Analyses: 404,
    Tracks: 404,
    Clips: 404,
    Jobs: 200,
    Translation: 404,
    VoiceOver: 404,
    Exports: 404,
    Publishing: 404,
    Search: 422,
    Channels: 404,
    Usage: 200,
    Quotes: 404,
    Events: 200,
    Webhooks: 404,
    Fallback: 404,
    Reference: 200,
  };
  it.each(api)('%s answers its sample event from a cold start without loading undici', async (id) => {
    expect(await startCold(id)).toMatchObject({ status: answers[id], undici: false });
  });

  // The others have S3's client, which loads it.
  const withoutFiles = resourceNames.filter((name) => apiSettings[name].permissions.media === undefined);
  it.each(withoutFiles.map(logicalIdOf))('%s answers a short answer without loading zlib', async (id) => {
    expect(await startCold(id)).toMatchObject({ status: answers[id], zlib: false });
  });
});
