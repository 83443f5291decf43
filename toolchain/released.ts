/**
 * What an environment has that holds something nobody can make again, or has an address, as the last release made it:
 * `released/<environment>.json`, a template. `npx cdk diff` tells what an upgrade does to it, from AWS's own specification of
 * resources. `node scripts/released.ts` adds what is new; nothing is taken out but by hand, with a line in CHANGELOG.md
 * that says what becomes of what it holds.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './bundle/paths.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** Resources by `<stack>/<logical id>`. */
export interface Released {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** What an upgrade does to a resource that may not go: the word of `cdk diff`, and the properties that are the reason. */
export interface Harm {
  readonly id: string;
  readonly type: string;
  readonly impact: string;
  readonly properties: readonly string[];
}

export const releasedEnvironments = ['dev', 'prod'] as const;
export type ReleasedEnvironment = (typeof releasedEnvironments)[number];

/** Logs go by their retention and images can be built again; an API, a distribution and a machine are here for their address. */
const types: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::Backup::BackupVault',
  'AWS::CloudFront::Distribution',
  'AWS::DynamoDB::Table',
  'AWS::KMS::Key',
  'AWS::S3::Bucket',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::Secret',
  'AWS::StepFunctions::StateMachine',
]);
/** Of a machine: they fill hundreds of kilobytes and change in place. */
const leftOut: ReadonlySet<string> = new Set([
  'DefinitionString',
  'DefinitionS3Location',
  'DefinitionSubstitutions',
]);

/** @param templates by what follows `Kinora-<environment>-` in the stack's name */
export function releasedOf(
  templates: Readonly<Record<string, { readonly Resources: Readonly<Record<string, Resource>> }>>,
): Released {
  const entries = Object.entries(templates).flatMap(([stack, { Resources }]) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => types.has(Type))
      .map(([id, resource]) => [`${stack}/${id}`, keptOf(resource)] as const),
  );
  return { Resources: sorted(Object.fromEntries(entries)) };
}

function keptOf({ Type, Properties = {}, DeletionPolicy, UpdateReplacePolicy }: Resource): Resource {
  const kept = Object.entries(Properties).filter(([name]) => !leftOut.has(name));
  return {
    Type,
    Properties: Object.fromEntries(kept),
    ...(DeletionPolicy && { DeletionPolicy }),
    ...(UpdateReplacePolicy && { UpdateReplacePolicy }),
  };
}

/** What `cdk diff` says that an upgrade would replace, may replace, destroy or leave without an owner. */
export async function harmOf(before: Released, now: Released): Promise<Harm[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'));
  try {
    const old = join(folder, 'before.json');
    writeFileSync(old, JSON.stringify(before));
    writeFileSync(join(folder, 'now.json'), JSON.stringify(now));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(assembly));
    const { stdout } = await promisify(execFile)(
      join(root, 'node_modules', '.bin', 'cdk'),
      [
        'diff',
        '--app',
        folder,
        'Kinora',
        '--template',
        old,
        '--no-notices',
        '--no-version-reporting',
        '--ci',
      ],
      {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', CDK_DISABLE_CLI_TELEMETRY: 'true' },
        maxBuffer: 64 * 1024 ** 2,
      },
    );
    return harmIn(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One stack for all: ids tell theirs. */
const assembly = {
  version: '36.0.0',
  artifacts: {
    Kinora: {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: 'now.json' },
    },
  },
};

// The words of @aws-cdk/cloudformation-diff, lib/format.ts.
const RESOURCE = /^\[[-+~]\] (AWS::\S+) (\S+)(?: (.+))?$/;
const REASON = /^[ │]*[├└]─ \[[-+~]\] (\S+) \((?:requires|may cause) replacement\)/;

function harmIn(diff: string): Harm[] {
  const resources: (Harm & { properties: string[] })[] = [];
  if (!/^Stack Kinora/m.test(diff)) throw new Error(`cdk diff has said something else: ${diff}`);
  for (const line of diff.split('\n')) {
    const [, type, id, impact = ''] = RESOURCE.exec(line) ?? [];
    if (type && id) resources.push({ id, type, impact, properties: [] });
    const [, reason] = REASON.exec(line) ?? [];
    if (reason) resources.at(-1)?.properties.push(reason);
  }
  return resources.filter(({ impact }) => impact !== '');
}

/** What is new. */
export const addedTo = (before: Released, now: Released): string[] =>
  Object.keys(now.Resources).filter((id) => before.Resources[id] === undefined);

/** Adds what is new. @returns how many */
export function record(environment: ReleasedEnvironment, now: Released): number {
  const before = readReleased(environment);
  const Resources = sorted({ ...now.Resources, ...before.Resources });
  writeFileSync(fileOf(environment), `${JSON.stringify({ Resources }, null, 2)}\n`);
  return addedTo(before, now).length;
}

export const readReleased = (environment: ReleasedEnvironment): Released =>
  JSON.parse(readFileSync(fileOf(environment), 'utf8'));

const fileOf = (environment: ReleasedEnvironment) => join(root, 'released', `${environment}.json`);

function sorted<Value>(record: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
