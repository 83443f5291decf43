/** What differs between the environments, as typed settings. Everything else is the same in all of them. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import type { Capability } from '../engines/declarations.ts';
import type { Place } from '../engines/engine.ts';

export type EnvironmentName = 'dev' | 'preview' | 'prod';

export interface CustomDomain {
  readonly name: string;
  /** The ARN of a certificate in the region of the API. */
  readonly certificateArn: string;
}

export interface Environment {
  readonly name: EnvironmentName;
  /** Absent: wherever the caller's credentials point. */
  readonly account?: string;
  readonly region?: string;
  /** Origin of the documentation site, which problem types point to. */
  readonly siteUrl: string;
  /** Own name of the API; its execute-api address is then switched off. */
  readonly domain?: CustomDomain;
  /** What the account may use at once; nothing is bounded by it when absent. */
  readonly quotas?: { readonly lambdaConcurrency: number };
  /** SNS topic that alarms notify; without one they only show in CloudWatch. */
  readonly alarmTopicArn?: string;
  /** The same for the site's alarms: they lie in us-east-1, and alarms notify topics of their own region only. */
  readonly siteAlarmTopicArn?: string;
  /** Where people read docs/runbooks.md; the dashboard links its headings. */
  readonly runbooksUrl?: string;
  /** What becomes of tables, buckets and keys when their stack is deleted. */
  readonly removal: RemovalPolicy;
  /** Whether the tables Core and Auth can be restored to any second of the last weeks. */
  readonly pointInTimeRecovery: boolean;
  /** Whether tables and stacks are protected from deletion. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  readonly logLevel: 'debug' | 'info';
  /** Requests a second over all tenants, and how many may come at once; a tenant's own limits are lower. */
  readonly throttling: { readonly rate: number; readonly burst: number };
  /** MB of the API functions; processor time grows with it. */
  readonly apiMemory: number;
  /** What every function runs on but the media steps, whose image is built for arm64. */
  readonly architecture: Architecture;
  /** The image of the media steps is built anew where this is another text than at the deployment before. */
  readonly packagesOf: string;
  /** Whose engines are used: those of AWS, or those of one machine. */
  readonly engines: Place;
  /** Capabilities whose engine is another one, by its name. */
  readonly engineOverrides?: Readonly<Partial<Record<Capability, string>>>;
  /** Settings that engines declare and only the user can know, such as the folder of a model. */
  readonly engineSettings?: Readonly<Record<string, string>>;
}

const common = {
  removal: RemovalPolicy.DESTROY,
  pointInTimeRecovery: false,
  deletionProtection: false,
  logRetention: RetentionDays.ONE_WEEK,
  logLevel: 'info',
  throttling: { rate: 50, burst: 100 },
  apiMemory: 512,
  architecture: Architecture.ARM_64,
  // Each day's first deployment takes the security updates of its day.
  packagesOf: new Date().toISOString().slice(0, 10),
  engines: 'aws',
} satisfies Partial<Environment>;

export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: { ...common, name: 'dev', siteUrl: 'https://dev.kinora.example', logLevel: 'debug' },
  preview: { ...common, name: 'preview', siteUrl: 'https://preview.kinora.example' },
  prod: {
    ...common,
    name: 'prod',
    siteUrl: 'https://kinora.example',
    removal: RemovalPolicy.RETAIN,
    pointInTimeRecovery: true,
    deletionProtection: true,
    logRetention: RetentionDays.THREE_MONTHS,
    throttling: { rate: 500, burst: 1000 },
    apiMemory: 1024,
  },
};

const architectures: Readonly<Record<string, Architecture>> = {
  arm64: Architecture.ARM_64,
  x86_64: Architecture.X86_64,
};

/** Context that `-c key=value` may set over an environment's settings. */
const overrides = [
  'account',
  'region',
  'siteUrl',
  'alarmTopicArn',
  'siteAlarmTopicArn',
  'runbooksUrl',
  'packagesOf',
] as const;

/**
 * The environment that `-c env=dev|preview|prod` names (dev without it). `-c architecture=x86_64` makes the
 * functions run natively under `sam local` on such a machine.
 */
export function environmentFrom(node: Node): Environment {
  const name = (node.tryGetContext('env') ?? 'dev') as string;
  const environment = Object.hasOwn(environments, name) ? environments[name as EnvironmentName] : undefined;
  if (environment === undefined) {
    throw new Error(`-c env=${name} names no environment; there are ${Object.keys(environments).join(', ')}`);
  }
  return { ...environment, ...contextOf(node), architecture: architectureOf(node, environment) };
}

function contextOf(node: Node): Partial<Environment> {
  const given = overrides.flatMap((key) => {
    const value = node.tryGetContext(key) as string | undefined;
    return value === undefined ? [] : [[key, value]];
  });
  return { ...Object.fromEntries(given), ...domainOf(node) };
}

function domainOf(node: Node): Pick<Environment, 'domain'> {
  const name = node.tryGetContext('domain') as string | undefined;
  const certificateArn = node.tryGetContext('certificateArn') as string | undefined;
  if (name === undefined) return {};
  if (certificateArn === undefined)
    throw new Error('-c domain=… needs -c certificateArn=… in the same region');
  return { domain: { name, certificateArn } };
}

function architectureOf(node: Node, environment: Environment): Architecture {
  const name = node.tryGetContext('architecture') as string | undefined;
  if (name === undefined) return environment.architecture;
  const architecture = architectures[name];
  if (architecture === undefined) throw new Error(`-c architecture=${name} is neither arm64 nor x86_64`);
  return architecture;
}
