/** What differs between the environments, as typed settings. Everything else is the same in all of them. */
import type { Capability } from '../engines/declarations.ts';
import type { PricedCapability } from '../engines/prices.ts';
import type { ProviderQuotaName } from '../engines/provider-quotas.ts';

/** What a file `environments/<name>.ts` exports by default: `export default { … } satisfies EnvironmentSettings`. */
export interface EnvironmentSettings {
  /** Region of everything but what CloudFront wants in us-east-1, such as `eu-central-1`. */
  readonly region: string;
  /** The only account that it may be deployed to; wherever the caller's credentials point when absent. */
  readonly account?: string;
  /** What the account may use at once. Those of a new account when absent. */
  readonly quotas?: Partial<Quotas>;
  readonly api?: {
    /** Own name of the API; its execute-api address is then switched off. */
    readonly domain?: ApiDomain;
  };
  /** CloudFront with a firewall before the API: some $7.40 a month, and $1.60 a million requests. None when absent. */
  readonly protection?: ProtectionSettings;
  readonly site?: SiteSettings;
  /** Whom alarms, the budget and unusual costs tell. */
  readonly alerts?: Alerts;
  /** What the environment may cost in a month, USD: whom `alerts` names is told at four fifths, and of the forecast. */
  readonly monthlyBudget?: number;
  /**
   * How often the main job is tried through the API: upload, subtitles, deletion. Half an hour costs some 15 USD a month, most of
   * them for transcription (`npm run cost`). Not at all when absent or null.
   */
  readonly canary?: CanarySettings | null;
  /**
   * Whether Cost Anomaly Detection watches the environment, too. Only where Cost Explorer is on, which no API can switch on, and not in
   * a member of an organization; elsewhere it fails the deployment. Needs `monthlyBudget`; off when absent.
   */
  readonly costAnomalies?: boolean;
  /** Where people read docs/runbooks.md; the dashboard links its headings. */
  readonly runbooksUrl?: string;
  /** What becomes of tables, buckets and keys when their stack is deleted; `destroy` when absent. */
  readonly removal?: 'destroy' | 'retain';
  /** Whether the tables Core and Auth can be restored to any second of the last weeks. */
  readonly pointInTimeRecovery?: boolean;
  /** Whether tables and stacks are protected from deletion. */
  readonly deletionProtection?: boolean;
  /** 7 when absent; one of the numbers that CloudWatch knows. */
  readonly logRetentionDays?: number;
  /** `info` when absent. */
  readonly logLevel?: 'debug' | 'info';
  /** Requests a second over all tenants, and how many may come at once; a tenant's own limits are lower. */
  readonly throttling?: Throttling;
  /**
   * How new versions of the API take over: `gradual` gives them a tenth of the requests for five minutes first, and takes
   * them back where requests fail. `at once` when absent.
   */
  readonly rollout?: 'at once' | 'gradual';
  /** MB of the API functions, 512 when absent; processor time grows with it. */
  readonly apiMemory?: number;
  /** MB of single steps, by their names in lib/jobs/steps.ts: `{ RenderChunk: 5307 }`. */
  readonly stepMemory?: Readonly<Record<string, number>>;
  /** What every function runs on but the media steps, whose image is built for arm64; `arm64` when absent. */
  readonly architecture?: 'arm64' | 'x86_64';
  /**
   * The image of the media steps is built anew where this is another text than at the deployment before. The date when
   * absent: each day's first deployment takes the security updates of its day.
   */
  readonly packagesOf?: string;
  /** Capabilities whose engine is another one, by its name. */
  readonly engineOverrides?: Readonly<Partial<Record<Capability, string>>>;
  /** Settings that engines declare and only the user can know, such as the folder of a model. */
  readonly engineSettings?: Readonly<Record<string, string>>;
  /**
   * What the engines cost you, USD for a minute (transcription), a million characters (text_analysis, translation, speech,
   * voice_cloning) or a picture (faces, ocr): for quotes, budgets and receipts of tenants, in place of the list prices of
   * US East (N. Virginia) that engines declare. Those of Bedrock's models and of voice cloning are known to you alone.
   */
  readonly prices?: Readonly<Partial<Record<PricedCapability, number>>>;
}

/**
 * What the account may use in the region: of Lambda (Service Quotas, "AWS Lambda"), and of the services that engines ask
 * (engines/provider-quotas.ts says what each counts, and what AWS gives).
 */
export interface Quotas extends Readonly<Record<ProviderQuotaName, number>> {
  /** MB that one function may have: 3,008 in a new account, 10,240 otherwise. */
  readonly lambdaMemory: number;
  /** Runs at once of all functions together: 10 in a new account, 1,000 otherwise. */
  readonly lambdaConcurrency: number;
}

export interface ProtectionSettings {
  /** Requests that one address may send in five minutes, 10 or more; then it hears 429. */
  readonly requestsPerFiveMinutes: number;
  /** The ARN of a certificate for the API's own name, where it has one, in us-east-1, where CloudFront looks for it. */
  readonly certificateArn?: string;
  /** Another text makes another secret between CloudFront and the API: for when somebody has seen it. */
  readonly generation?: string;
}

export interface ApiDomain {
  /** `api.kinora.example` */
  readonly name: string;
  /** The ARN of a certificate for it, in the region of the API. */
  readonly certificateArn: string;
  /** Route 53 zone that gets its records; without one the outputs of the API's stack say where they point. */
  readonly hostedZoneId?: string;
}

export interface Alerts {
  /** Gets a message of every alarm, once its owner has followed the link in the first one. */
  readonly email?: string;
  /** A topic of your own in this region, instead of one that the environment makes. */
  readonly topicArn?: string;
  /** The same in us-east-1 for the site's alarms: alarms notify topics of their own region only. */
  readonly siteTopicArn?: string;
}

export interface CanarySettings {
  /** Minutes from one try to the next, 20 to 360; two that fail in a row ring. */
  readonly everyMinutes: number;
}

export interface SiteDomain {
  /** `kinora.example` */
  readonly name: string;
  /** Names that redirect to it, such as `www.kinora.example`. */
  readonly alternateNames?: readonly string[];
  /** The ARN of a certificate for all of these names, in us-east-1. */
  readonly certificateArn: string;
  /** Route 53 zone that gets their records; without one the outputs of the site's stack say where they point. */
  readonly hostedZoneId?: string;
}

export interface SiteSettings {
  /**
   * Origin of a site that somebody else deploys, without a slash at its end, such as `https://kinora.example`: this
   * environment then has none of its own, and its problems point there.
   */
  readonly elsewhere?: string;
  /** Own name of the site; without one it answers on the name that CloudFront gives it. */
  readonly domain?: SiteDomain;
  /** Who may read it; with `token` whoever has the token that its deployment makes. `public` when absent. */
  readonly access?: 'public' | 'token';
  /** Whether search engines may list it; not when absent. */
  readonly indexable?: boolean;
  /** Domain of the addresses on /contact; that of the site, or `kinora.example`, when absent. */
  readonly mailDomain?: string;
  /** What `git clone` takes. Without one the pages say that commands run inside of a clone, and not where to get it. */
  readonly repositoryUrl?: string;
}

export interface Throttling {
  readonly rate: number;
  readonly burst: number;
}
