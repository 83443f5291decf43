/** The settings in which environments differ, with types. Everything else is the same in all of them. */
import type { Capability } from '../engines/declarations.ts';
import type { PricedCapability } from '../engines/prices.ts';
import type { ProviderQuotaName } from '../engines/provider-quotas.ts';

/** The default export of `environments/<name>.ts`: `export default { … } satisfies EnvironmentSettings`. */
export interface EnvironmentSettings {
  /** Region, such as `eu-central-1`. Resources that CloudFront needs in us-east-1 are there. */
  readonly region: string;
  /** The only account to deploy to. When absent, the account of the caller's credentials. */
  readonly account?: string;
  /** Quotas of the account; those of a new account when absent. */
  readonly quotas?: Partial<Quotas>;
  readonly api?: {
    /** Custom domain of the API. Its execute-api address is then disabled. */
    readonly domain?: ApiDomain;
  };
  /** CloudFront with a firewall before the API: about $7.40 a month, and $1.60 per million requests. None when absent. */
  readonly protection?: ProtectionSettings;
  readonly site?: SiteSettings;
  /** Receivers of alarms, budget messages and cost anomalies. */
  readonly alerts?: Alerts;
  /** Monthly budget in USD. `alerts` receives a message at 80 % of it, and when the forecast exceeds it. */
  readonly monthlyBudget?: number;
  /**
   * How often the canary runs the main job through the API: upload, subtitles, deletion. Every half hour costs about 15
   * USD a month, most of it for transcription (`npm run cost`). Never when absent or null.
   */
  readonly canary?: CanarySettings | null;
  /**
   * Enables Cost Anomaly Detection for the environment. Needs `monthlyBudget`, and Cost Explorer, which only a person
   * can enable; it does not work in a member account of an organization. Otherwise the deployment fails. Off when
   * absent.
   */
  readonly costAnomalies?: boolean;
  /** Address of docs/runbooks.md. The dashboard links to its headings. */
  readonly runbooksUrl?: string;
  /** Whether tables, buckets and keys outlive their stack; `destroy` when absent. */
  readonly removal?: 'destroy' | 'retain';
  /** Whether the tables Core and Auth can be restored to any second of the last 35 days. */
  readonly pointInTimeRecovery?: boolean;
  /** Whether tables and stacks are protected from deletion. */
  readonly deletionProtection?: boolean;
  /** Days for which logs are kept, a number that CloudWatch accepts; 7 when absent. */
  readonly logRetentionDays?: number;
  /** The least severe level of log lines; `info` when absent. */
  readonly logLevel?: 'debug' | 'info';
  /** Requests per second of all tenants, and the burst. The limits of one tenant are lower. */
  readonly throttling?: Throttling;
  /**
   * Rollout of new versions of the API: `gradual` gives them a tenth of the requests for five minutes, and rolls back
   * if requests fail. `at once` when absent.
   */
  readonly rollout?: 'at once' | 'gradual';
  /** MB of each API function; 512 when absent. Processor time grows with memory. */
  readonly apiMemory?: number;
  /** MB of single steps, by name: `{ RenderChunk: 5307 }`. */
  readonly stepMemory?: Readonly<Record<string, number>>;
  /** Processor of all functions except media steps, whose image is for arm64; `arm64` when absent. */
  readonly architecture?: 'arm64' | 'x86_64';
  /**
   * The image of the media steps is rebuilt when this text changes. It is the date when absent, so the first deployment
   * of each day installs the security updates of that day.
   */
  readonly packagesOf?: string;
  /** Names of engines that replace the default engines, by capability. */
  readonly engineOverrides?: Readonly<Partial<Record<Capability, string>>>;
  /** Settings of engines that have no default, such as the folder of a model. */
  readonly engineSettings?: Readonly<Record<string, string>>;
  /**
   * Your prices in USD per minute (transcription), per million characters (text_analysis, translation, speech,
   * voice_cloning) or per picture (faces, ocr). Quotes, budgets and receipts use them instead of the list prices of US
   * East (N. Virginia). Engines declare no prices for Bedrock's models and for voice cloning.
   */
  readonly prices?: Readonly<Partial<Record<PricedCapability, number>>>;
}

/**
 * Quotas of the account in the region: of Lambda (Service Quotas, "AWS Lambda"), and of the services that engines call.
 * engines/provider-quotas.ts says what each counts, and its default.
 */
export interface Quotas extends Readonly<Record<ProviderQuotaName, number>> {
  /** Largest memory of a function, MB: 3,008 in a new account, 10,240 otherwise. */
  readonly lambdaMemory: number;
  /** Concurrent executions of all functions: 10 in a new account, 1,000 otherwise. */
  readonly lambdaConcurrency: number;
}

export interface ProtectionSettings {
  /** Requests per IP address in five minutes, at least 10. Further requests get 429. */
  readonly requestsPerFiveMinutes: number;
  /** ARN of a certificate in us-east-1 for the API's custom domain, if it has one. */
  readonly certificateArn?: string;
  /** Change this text to replace the secret between CloudFront and the API, for example after a leak. */
  readonly generation?: string;
}

export interface ApiDomain {
  /** `api.kinora.example` */
  readonly name: string;
  /** ARN of a certificate for the domain, in the region of the API. */
  readonly certificateArn: string;
  /** Id of the Route 53 zone for the domain's records. Without it, the outputs of the API stack have their target. */
  readonly hostedZoneId?: string;
}

export interface Alerts {
  /** Receives every alarm, after its owner has confirmed the subscription. */
  readonly email?: string;
  /** ARN of your own topic in this region. When absent, the environment makes one. */
  readonly topicArn?: string;
  /** ARN of your own topic in us-east-1, for alarms of the site: an alarm notifies only topics of its region. */
  readonly siteTopicArn?: string;
}

export interface CanarySettings {
  /** Minutes between runs, 20 to 360. Two failures in a row trigger the alarm. */
  readonly everyMinutes: number;
}

export interface SiteDomain {
  /** `kinora.example` */
  readonly name: string;
  /** Names that redirect to the domain, such as `www.kinora.example`. */
  readonly alternateNames?: readonly string[];
  /** ARN of a certificate in us-east-1 for all of these names. */
  readonly certificateArn: string;
  /** Id of the Route 53 zone for the names' records. Without it, the outputs of the site stack have their target. */
  readonly hostedZoneId?: string;
}

export interface SiteSettings {
  /**
   * Origin of a site that is deployed elsewhere, without a trailing slash, such as `https://kinora.example`. This
   * environment then deploys no site, and its problems link there.
   */
  readonly elsewhere?: string;
  /** Custom domain of the site. Without one, CloudFront names the site. */
  readonly domain?: SiteDomain;
  /** Who may read the site. With `token`, readers need the token that the deployment makes. `public` when absent. */
  readonly access?: 'public' | 'token';
  /** Whether search engines may list the site; false when absent. */
  readonly indexable?: boolean;
  /** Domain of the mail addresses on /contact; the domain of the site, or `kinora.example`, when absent. */
  readonly mailDomain?: string;
  /** Address for `git clone`. Without one, the pages do not say where to get the source. */
  readonly repositoryUrl?: string;
}

export interface Throttling {
  readonly rate: number;
  readonly burst: number;
}
