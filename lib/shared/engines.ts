/** Returns the variables and IAM statements that functions need for the engines of an environment. Both come from the engines' declarations. */
import { type Acknowledgment, Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type Capability, declarations } from '../../engines/declarations.ts';
import type { EngineDeclaration, Permission } from '../../engines/engine.ts';
import { pricedCapabilities, priceSettingOf } from '../../engines/prices.ts';
import type { ProviderQuotaName } from '../../engines/provider-quotas.ts';
import { choose, overrideOf } from '../../engines/selection.ts';
import type { EngineUses } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { filled } from './findings.ts';

interface EngineResources {
  readonly media: Bucket;
  readonly secretsKey: Key;
}

type Chosen = readonly [engine: EngineDeclaration, methods: readonly string[], capability: Capability];

type Choosing = Pick<Environment, 'engines' | 'engineOverrides' | 'engineSettings' | 'prices'>;

/** Returns variables that name the engines in use. Every function gets them, because it may report the available engines. */
export function choiceVariables({
  engines,
  engineOverrides = {},
  engineSettings = {},
  prices = {},
}: Choosing) {
  const unknown = Object.keys(engineSettings).filter((name) => !declared.has(name));
  // Otherwise, a setting could replace a variable that protects the API, such as EDGE_SECRET.
  if (unknown.length > 0) throw new Error(`engineSettings: no engine declares ${unknown.join(', ')}.`);
  const secret = Object.keys(engineSettings).find((name) => declared.get(name)?.secret);
  if (secret !== undefined)
    throw new Error(`${secret} is a secret: it would stand in the template. ${whatInstead}`);
  const overrides = Object.entries(engineOverrides).map(([capability, name]) => [
    overrideOf(capability),
    name,
  ]);
  const costs = Object.entries(prices).map(([capability, usd]) => [priceSettingOf(capability), String(usd)]);
  const chosen = Object.fromEntries([...overrides, ...costs]);
  return { ENGINES: engines, ...chosen, ...engineSettings } as Record<string, string>;
}

const whatInstead = 'docs/models.md says how the key of a voice cloning service is given to a deployment.';
const declared = new Map(
  Object.values(declarations)
    .flat()
    .flatMap(({ settings }: EngineDeclaration) => Object.entries(settings)),
);

export function engineVariables(uses: EngineUses, environment: Environment, resources: EngineResources) {
  const settings = chosen(uses, environment).flatMap(([engine]) => Object.entries(engine.settings));
  const values = valuesOf(resources);
  const given = settings.flatMap(([name, { deployed }]) =>
    deployed === undefined ? [] : [[name, filled(deployed, values)]],
  );
  return Object.fromEntries(given) as Record<string, string>;
}

export function engineStatements(
  uses: EngineUses,
  environment: Environment,
  resources: EngineResources,
): PolicyStatement[] {
  return permissionsOf(uses, environment).map(({ actions, resources: names, conditions, settings }) => {
    const values = { ...settings, ...valuesOf(resources) };
    return new PolicyStatement({
      actions: [...actions],
      resources: names.map((name) => filled(name, values)),
      ...(conditions && { conditions: filledConditions(conditions, values) }),
    });
  });
}

export const quotasTaken = (uses: EngineUses, environment: Choosing) =>
  chosen(uses, environment).flatMap(([{ quotas = {} }, methods, capability]) =>
    [...new Set(methods.map((method) => quotas[method]))]
      .filter((quota): quota is ProviderQuotaName => quota !== undefined)
      .map((quota) => ({ capability, quota })),
  );

export function engineWildcards(uses: EngineUses, environment: Environment): Acknowledgment[] {
  return permissionsOf(uses, environment).flatMap(({ actions, resources, why, settings }) =>
    resources
      .filter((resource) => resource.includes('*'))
      .map((resource) => {
        if (why === undefined)
          throw new Error(`The permission ${actions.join(', ')} does not say why it needs ${resource}`);
        return {
          id: `AwsSolutions-IAM5[Resource::${filled(resource, { ...settings, ...namesInFindings })}]`,
          reason: why,
        };
      }),
  );
}

/**
 * Returns the settings of the engines that run on one machine. The local cloud reads them from the template, because it does not
 * know the engines. If a setting is the path of a program, `program` is the name of the program to search for.
 */
export function localSettings(): Record<string, { program?: string }> {
  const engines = Object.values(declarations).flat();
  const settings = engines
    .filter(({ runs }) => runs.includes('local'))
    .flatMap(({ settings }) => Object.entries(settings))
    .map(([name, { program, default: value }]) => [name, program && value ? { program: value } : {}]);
  const overrides = [
    ...Object.keys(declarations).map((capability) => [overrideOf(capability), {}]),
    ...pricedCapabilities.map((capability) => [priceSettingOf(capability), {}]),
  ];
  return Object.fromEntries([...settings, ...overrides]);
}

/** A permission, with the settings of its engine. Its resources may refer to these settings. */
type Granted = Permission & { readonly settings: Values };

function permissionsOf(uses: EngineUses, environment: Environment): Granted[] {
  const variables = choiceVariables(environment);
  return chosen(uses, environment).flatMap(([engine, methods]) => {
    const names = Object.keys(engine.settings).filter((name) => variables[name]);
    const settings = Object.fromEntries(names.map((name) => [name, variables[name]!]));
    return methods.flatMap((method) =>
      (engine.permissions[method] ?? []).map((permission) => ({ ...permission, settings })),
    );
  });
}

/** Returns the engines in use. Omits capabilities without an engine: their callers get `engine_unavailable`. */
function chosen(uses: EngineUses, environment: Choosing): Chosen[] {
  return Object.entries(uses).flatMap(([name, methods]) => {
    const capability = name as Capability;
    const choice = choose(capability, declarations[capability], choiceVariables(environment));
    if (choice.status === 'available') return [[choice.engine, methods, capability] as const];
    if (environment.engineOverrides?.[capability] !== undefined) throw new Error(choice.reason);
    return [];
  });
}

type Values = Readonly<Record<string, string>>;

/** Returns the values for the placeholders in braces of a declaration. */
const valuesOf = ({ media, secretsKey }: EngineResources): Values => ({
  partition: Aws.PARTITION,
  region: Aws.REGION,
  account: Aws.ACCOUNT_ID,
  media_bucket: media.bucketName,
  secrets_key: secretsKey.keyArn,
});

/** The texts that replace these values in findings of cdk-nag. */
const namesInFindings: Values = {
  partition: '<AWS::Partition>',
  region: '<AWS::Region>',
  account: '<AWS::AccountId>',
};

function filledConditions(conditions: NonNullable<Permission['conditions']>, values: Values) {
  const operators = Object.entries(conditions).map(([operator, keys]) => [
    operator,
    Object.fromEntries(
      Object.entries(keys).map(([key, value]) => [
        key,
        typeof value === 'string' ? filled(value, values) : value.map((one) => filled(one, values)),
      ]),
    ),
  ]);
  return Object.fromEntries(operators) as Record<string, Record<string, string | string[]>>;
}
