/**
 * The last release, for upgrade tests: `released/release.json.gz`, which `npm run release` writes. It contains the
 * surface of the API, the resources of each environment that hold data or have an address, and stored records of every
 * kind.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from './bundle/paths.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** Resources by `<stack>/<logical id>`. */
export type Resources = Readonly<Record<string, Resource>>;

export const releasedEnvironments = ['dev', 'prod'] as const;

export interface Release {
  readonly version: string;
  /** Sorted lines from `surfaceOf`. */
  readonly api: readonly string[];
  readonly templates: Readonly<Record<(typeof releasedEnvironments)[number], Resources>>;
  /** Items and objects that the release stored. See test/support/released-records.ts. */
  readonly records: unknown;
}

const file = join(root, 'released', 'release.json.gz');

export const readRelease = (): Release => JSON.parse(gunzipSync(readFileSync(file)).toString());

/** Replaces the given parts of the last release. */
export function updateRelease(parts: Partial<Release>): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(JSON.stringify({ ...readRelease(), ...parts }), { level: 9 }));
}

/** Types of resources that an upgrade must not replace, because they hold data, or because other systems use their address. */
const protectedTypes: ReadonlySet<string> = new Set([
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

/** Properties of a state machine that may be hundreds of kilobytes long. CloudFormation updates them in place. */
const definitions: ReadonlySet<string> = new Set([
  'DefinitionString',
  'DefinitionS3Location',
  'DefinitionSubstitutions',
]);

/** @param templates the templates, by the part of the stack's name after `Kinora-<environment>-` */
export function protectedResources(
  templates: Readonly<Record<string, { readonly Resources: Readonly<Record<string, Resource>> }>>,
): Resources {
  const entries = Object.entries(templates).flatMap(([stack, { Resources }]) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => protectedTypes.has(Type))
      .map(([id, resource]) => [`${stack}/${id}`, withoutDefinition(resource)] as const),
  );
  return Object.fromEntries(entries);
}

function withoutDefinition({
  Type,
  Properties = {},
  DeletionPolicy,
  UpdateReplacePolicy,
}: Resource): Resource {
  return {
    Type,
    Properties: Object.fromEntries(Object.entries(Properties).filter(([name]) => !definitions.has(name))),
    ...(DeletionPolicy && { DeletionPolicy }),
    ...(UpdateReplacePolicy && { UpdateReplacePolicy }),
  };
}

/** Whether the changelog has an entry for the version with its date: `## 0.1.0 (2026-11-23)`. */
export const hasDatedEntry = (changelog: string, version: string): boolean =>
  changelog.split('\n').some((line) => {
    const [, named] = /^## \[?v?([\d.]+[\w.-]*)\]?\W.*\b\d{4}-\d\d-\d\d\b/.exec(line) ?? [];
    return named === version;
  });
