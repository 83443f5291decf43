/** Reads and checks the files in `environments/`, and adds defaults. */
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

/** The settings of an environment with all defaults, in types of the CDK. */
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
  /** The place where the engines run: AWS, or one machine. */
  readonly engines: Place;
}

type Defaults = ReturnType<typeof defaults>;

const defaults = () => ({
  pointInTimeRecovery: false,
  deletionProtection: false,
  logLevel: 'info' as const,
  throttling: { rate: 50, burst: 100 },
  apiMemory: 512,
  packagesOf: 'first',
});

const ofProviders = Object.fromEntries(
  providerQuotaNames.map((name) => [name, providerQuotas[name].given]),
) as Record<ProviderQuotaName, number>;

/** The quotas of a new account (Lambda Developer Guide, "Lambda quotas"). Every default is within them. */
export const newAccount: Quotas = { lambdaMemory: 3008, lambdaConcurrency: 10, ...ofProviders };

const folder = join(import.meta.dirname, '..', 'environments');

export const environmentNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();

/**
 * Reads and checks `environments/<name>.ts`.
 * @throws Error with the faults of the file, and what to do
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
    // If the first deployment fails, it deletes its resources: they contain no data yet, and each key costs a dollar a month.
    removal: removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    logRetention: logRetentionDays,
    architecture: architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    engines: 'aws',
  };
}
