/** The environments: one file of settings each in `environments/`, checked, with the defaults of what they leave out. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Place } from '../engines/engine.ts';
import { type ProviderQuotaName, providerQuotaNames, providerQuotas } from '../engines/provider-quotas.ts';
import { checked } from './environment-checks.ts';
import type { EnvironmentSettings, Quotas, SiteSettings, Throttling } from './environment-settings.ts';

export type * from './environment-settings.ts';

/** An environment with every setting that has a default, in the terms of the CDK. */
export interface Environment
  extends Omit<
    EnvironmentSettings,
    'api' | 'architecture' | 'logRetentionDays' | 'quotas' | 'removal' | 'site' | keyof Defaults
  > {
  readonly name: string;
  readonly quotas: Quotas;
  readonly api: NonNullable<EnvironmentSettings['api']>;
  readonly site: SiteSettings & Required<Pick<SiteSettings, 'access' | 'indexable' | 'mailDomain'>>;
  readonly removal: RemovalPolicy;
  readonly logRetention: RetentionDays;
  readonly architecture: Architecture;
  readonly pointInTimeRecovery: boolean;
  readonly deletionProtection: boolean;
  readonly logLevel: 'debug' | 'info';
  readonly throttling: Throttling;
  readonly apiMemory: number;
  readonly packagesOf: string;
  /** Whose engines are used: those of AWS, or those of one machine. */
  readonly engines: Place;
}

type Defaults = ReturnType<typeof defaults>;

const defaults = () => ({
  pointInTimeRecovery: false,
  deletionProtection: false,
  logLevel: 'info' as const,
  throttling: { rate: 50, burst: 100 },
  apiMemory: 512,
  packagesOf: new Date().toISOString().slice(0, 10),
});

const ofProviders = Object.fromEntries(
  providerQuotaNames.map((name) => [name, providerQuotas[name].given]),
) as Record<ProviderQuotaName, number>;

/** What AWS gives to a new account (Lambda Developer Guide, "Lambda quotas"): every default fits into it. */
export const newAccount: Quotas = { lambdaMemory: 3008, lambdaConcurrency: 10, ...ofProviders };

const folder = join(import.meta.dirname, '..', 'environments');

/** Names of the files in `environments/`, sorted. */
export const environmentNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();

/**
 * The environment of `environments/<name>.ts`, checked.
 * @throws Error that says what is wrong in which file, and what helps
 */
export async function environmentNamed(name: string): Promise<Environment> {
  if (!/^[a-z][a-z0-9-]{0,15}$/.test(name) || !existsSync(join(folder, `${name}.ts`))) {
    throw new Error(
      `There is no environment ${JSON.stringify(name)}; there are ${environmentNames().join(', ')}. ` +
        'Copy environments/dev.ts under a name of at most 16 small letters, digits and hyphens for one of your own',
    );
  }
  const module = (await import(join(folder, `${name}.ts`))) as { default: EnvironmentSettings };
  return environmentOf(name, module.default);
}

/** An environment of these settings, checked, as if they stood in `environments/<name>.ts`. */
export function environmentOf(name: string, settings: EnvironmentSettings): Environment {
  const { architecture, logRetentionDays = 7, removal, site, ...given } = checked(name, settings);
  return {
    ...defaults(),
    ...given,
    name,
    quotas: { ...newAccount, ...given.quotas },
    api: given.api ?? {},
    site: {
      access: 'public',
      indexable: false,
      mailDomain: site?.domain?.name ?? 'kinora.example',
      ...site,
    },
    // What a creation made that is rolled back goes: it was never in use, and keys cost a dollar a month each.
    removal: removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    logRetention: logRetentionDays,
    architecture: architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    engines: 'aws',
  };
}
