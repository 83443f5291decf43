/**
 * Which resources hold what nobody can make again, and what of them CloudFormation cannot change without another in their
 * place. `test/infra/stateful.json` keeps them as they were released; `node toolchain/stateful.ts` adds the new ones out of
 * cdk.out. None is taken out but by hand, with a line in CHANGELOG.md that says what becomes of what it holds.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemblyFolder, root } from './bundle/paths.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Stateful {
  readonly type: string;
  /** What may not change, as the template has it. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** By stack (`Data`), and by logical id. */
export type StatefulResources = Readonly<Record<string, Readonly<Record<string, Stateful>>>>;

/**
 * By type, the properties whose "Update requires: Replacement" in the AWS CloudFormation Template Reference. Logs go by their
 * retention and images can be built again; an API and a machine are here for their address and what runs in them.
 */
const fixedProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::CloudFront::Distribution': [],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
};

export const statefulFile = join(root, 'test', 'infra', 'stateful.json');

export function statefulIn(
  templates: Readonly<Record<string, { Resources: Readonly<Record<string, Resource>> }>>,
) {
  const stacks = Object.entries(templates).map(([stack, { Resources }]) => {
    const found = Object.entries(Resources).filter(([, { Type }]) => fixedProperties[Type] !== undefined);
    return [stack, Object.fromEntries(found.map(([id, resource]) => [id, statefulOf(resource)]))] as const;
  });
  return Object.fromEntries(stacks.filter(([, found]) => Object.keys(found).length > 0)) as StatefulResources;
}

function statefulOf({ Type, Properties = {} }: Resource): Stateful {
  const said = fixedProperties[Type]!.filter((name) => Properties[name] !== undefined);
  return { type: Type, fixed: Object.fromEntries(said.map((name) => [name, Properties[name]])) };
}

/** What an upgrade would take away or put another in the place of, as sentences. */
export function replaced(before: StatefulResources, now: StatefulResources): string[] {
  return Object.entries(before).flatMap(([stack, resources]) =>
    Object.entries(resources).flatMap(([id, { type, fixed }]) => {
      const found = now[stack]?.[id];
      if (found === undefined) return [`${stack} has no ${id} any more, a ${type}`];
      if (found.type !== type) return [`${id} in ${stack} was a ${type} and is a ${found.type}`];
      const names = [...new Set([...Object.keys(fixed), ...Object.keys(found.fixed)])];
      const changed = names.filter(
        (name) => JSON.stringify(fixed[name]) !== JSON.stringify(found.fixed[name]),
      );
      return changed.map((name) => `${name} of ${id} in ${stack} changes, which puts another in its place`);
    }),
  );
}

/** What is new. */
export function added(before: StatefulResources, now: StatefulResources): string[] {
  return Object.entries(now).flatMap(([stack, resources]) =>
    Object.keys(resources)
      .filter((id) => before[stack]?.[id] === undefined)
      .map((id) => `${stack}/${id}`),
  );
}

export const readStateful = (): StatefulResources =>
  existsSync(statefulFile) ? JSON.parse(readFileSync(statefulFile, 'utf8')) : {};

if (import.meta.main) {
  const read = (stack: string) =>
    JSON.parse(readFileSync(join(assemblyFolder, `Kinora-dev-${stack}.template.json`), 'utf8'));
  const now = statefulIn(
    Object.fromEntries(['Data', 'Jobs', 'Api', 'Ops'].map((stack) => [stack, read(stack)])),
  );
  const before = readStateful();
  const stacks = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const kept = stacks.map((stack) => [stack, sorted({ ...now[stack], ...before[stack] })]);
  writeFileSync(statefulFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  for (const line of replaced(before, now)) console.error(`Kept as it was: ${line}.`);
  console.log(`${added(before, now).length} added to test/infra/stateful.json`);
}

function sorted<Value>(record: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
