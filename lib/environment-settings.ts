/** The types of the settings in which environments differ. All else is the same in every environment. */
import type { Capability } from '../engines/declarations.ts';
import type { PricedCapability } from '../engines/prices.ts';
import type { ProviderQuotaName } from '../engines/provider-quotas.ts';

/** The default export of `environments/<name>.ts`: `export default { … } satisfies EnvironmentSettings`. */
export interface EnvironmentSettings {
  /** The region, such as `eu-central-1`. Resources that CloudFront requires in us-east-1 are created there. */
  readonly region: string;
  /** The only account to which the environment may be deployed. Default: the account of the caller's credentials. Required with `deletionProtection`. */
  readonly account?: string;
  /** The quotas of the account. Default: those of a new account. */
  readonly quotas?: Partial<Quotas>;
  readonly api?: {
    /** The custom domain of the API. If it is set, the execute-api address is disabled. */
    readonly domain?: ApiDomain;
  };
  /** CloudFront with a firewall in front of the API: about $7.60 a month, and $1.60 per million requests. Default: none. For the gaps that remain, see docs/security.md. */
  readonly protection?: ProtectionSettings;
  readonly site?: SiteSettings;
  /** The receivers of alarms, budget messages and cost anomalies. */
  readonly alerts?: Alerts;
  /**
   * The monthly budget of the whole account in USD. The receivers in `alerts` get a message at 80 % of it, and when the forecast
   * exceeds it. An alarm starts if engines cost 5 % of it within six hours.
   */
  readonly monthlyBudget?: number;
  /**
   * How often the canary runs the main job through the API: upload, subtitles, deletion. A run every half hour costs about 15 USD a
   * month, mostly for transcription (`npm run cost`). Default or null: never.
   */
  readonly canary?: CanarySettings | null;
  /**
   * Whether to use Cost Anomaly Detection for the account. It needs `monthlyBudget`, and Cost Explorer, which only a person can
   * enable. It does not work in a member account of an organization. If a requirement is missing, the deployment fails. Default:
   * false.
   */
  readonly costAnomalies?: boolean;
  /** The address of docs/runbooks.md. The dashboard links to its headings. */
  readonly runbooksUrl?: string;
  /** Whether tables, buckets and keys are kept when their stack is deleted. Default: `destroy`. */
  readonly removal?: 'destroy' | 'retain';
  /** Whether the tables Core and Auth can be restored to any second of the last 35 days. */
  readonly pointInTimeRecovery?: boolean;
  /**
   * Daily copies of Core, Auth and media in a second region, by AWS Backup. It needs `pointInTimeRecovery`, and advanced features for
   * DynamoDB, which a person enables once in the account. For the costs, see docs/restore.md. Default: none.
   */
  readonly backup?: BackupSettings;
  /** Whether tables and stacks are protected from deletion. */
  readonly deletionProtection?: boolean;
  /** The number of days for which logs are kept. CloudWatch accepts only some numbers. Default: 7. */
  readonly logRetentionDays?: number;
  /** The lowest level of written log lines. Default: `info`. */
  readonly logLevel?: 'debug' | 'info';
  /** The requests per second of all tenants together, and the burst. Each tenant has lower limits. */
  readonly throttling?: Throttling;
  /**
   * How new versions of the API are deployed. `gradual` gives them a tenth of the requests for five minutes, and rolls back if
   * requests fail. Default: `at once`.
   */
  readonly rollout?: 'at once' | 'gradual';
  /** The memory of each API function, MB. Processor time grows with memory. Default: 512. */
  readonly apiMemory?: number;
  /** The memory of single steps, MB, by name: `{ RenderChunk: 5307 }`. */
  readonly stepMemory?: Readonly<Record<string, number>>;
  /** The processor of all functions, except media steps: their image is for arm64. Default: `arm64`. */
  readonly architecture?: 'arm64' | 'x86_64';
  /**
   * The image of the media steps is rebuilt when this text changes, with the security updates of that day: write the date. Without a
   * change, it is built only if its files change. Default: `first`.
   */
  readonly packagesOf?: string;
  readonly engineOverrides?: Readonly<Partial<Record<Capability, string>>>;
  /** The settings of engines that have no default, such as the folder of a model. */
  readonly engineSettings?: Readonly<Record<string, string>>;
  /**
   * Your prices in USD: per minute (transcription), per million characters (text_analysis, translation, speech, voice_cloning) or
   * per picture (faces, ocr). Quotes, budgets and receipts use them instead of the list prices of US East (N. Virginia). For
   * Bedrock's models and for voice cloning, engines declare no prices.
   */
  readonly prices?: Readonly<Partial<Record<PricedCapability, number>>>;
}

/**
 * The quotas of the account in the region: those of Lambda (Service Quotas, "AWS Lambda"), and those of the services that engines
 * call. For their meaning and defaults, see engines/provider-quotas.ts.
 */
export interface Quotas extends Readonly<Record<ProviderQuotaName, number>> {
  /** The maximum memory of a function, MB: 3,008 in a new account, 10,240 otherwise. */
  readonly lambdaMemory: number;
  /** The maximum concurrent executions of all functions: 10 in a new account, 1,000 otherwise. */
  readonly lambdaConcurrency: number;
}

export interface ProtectionSettings {
  /** The maximum number of requests of an IP address in five minutes, at least 10. Other requests get 429. */
  readonly requestsPerFiveMinutes: number;
  /** The ARN of a certificate in us-east-1 for the custom domain of the API. Absent if it has none. */
  readonly certificateArn?: string;
  /**
   * Raise it by one to replace the secret between CloudFront and the API, for example after a leak. CloudFront then sends the previous
   * secret as well, so that functions with the previous and with the new secret accept requests during the deployment. Default: 0.
   */
  readonly generation?: number;
  /**
   * A separate domain for the API behind CloudFront, such as `origin.api.kinora.example`, with a certificate in the region of the API.
   * The execute-api address is then disabled. Default: CloudFront uses that address, which everyone can guess from the API's id.
   */
  readonly origin?: ApiDomain;
}

export interface ApiDomain {
  /** The name, such as `api.kinora.example`. */
  readonly name: string;
  readonly certificateArn: string;
  /** The id of the Route 53 zone for the records of the domain. If absent, the outputs of the API stack show the target for your own records. */
  readonly hostedZoneId?: string;
}

export interface Alerts {
  /** A mail address that receives every alarm, after its owner has confirmed the subscription. */
  readonly email?: string;
  readonly topicArn?: string;
  /** The ARN of your own topic in us-east-1 for alarms of the site, because an alarm can notify only topics of its region. */
  readonly siteTopicArn?: string;
}

export interface BackupSettings {
  /** The region of the copies. */
  readonly region: string;
  /** The days for which a copy is kept, at least 7. */
  readonly keepDays: number;
}

export interface CanarySettings {
  /** The minutes between runs, 20 to 360. Two failures in a row trigger the alarm. */
  readonly everyMinutes: number;
}

export interface SiteDomain {
  readonly name: string;
  /** Names that redirect to the domain, such as `www.kinora.example`. */
  readonly alternateNames?: readonly string[];
  /** The ARN of a certificate in us-east-1 for all of these names. */
  readonly certificateArn: string;
  /** The id of the Route 53 zone for the records of the names. If absent, the outputs of the site stack show the target for your own records. */
  readonly hostedZoneId?: string;
}

export interface SiteSettings {
  /**
   * The origin of a site that is deployed elsewhere, without a trailing slash, such as `https://kinora.example`. If it is set, this
   * environment deploys no site, and its problems link to that origin.
   */
  readonly elsewhere?: string;
  /** The custom domain of the site. If absent, CloudFront assigns a domain. */
  readonly domain?: SiteDomain;
  /** Who may read the site. With `token`, readers need the token that the deployment generates. Default: `public`. */
  readonly access?: 'public' | 'token';
  /** Whether search engines may list the site. Default: false. */
  readonly indexable?: boolean;
  /** The domain of the mail addresses on /contact. Default: the domain of the site, or `kinora.example`. */
  readonly mailDomain?: string;
  /** The address for `git clone`. If absent, the pages do not say where to get the source. */
  readonly repositoryUrl?: string;
}

export interface Throttling {
  readonly rate: number;
  readonly burst: number;
}
