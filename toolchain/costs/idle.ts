/** Computes the monthly cost of an environment without use, from the resources in its templates, and the cost of its canary. */
import { type Capability, declarations } from '../../engines/declarations.ts';
import { choose, type Settings } from '../../engines/selection.ts';
import type { CanarySettings } from '../../lib/environments.ts';
import { awsPrices } from './price-list.ts';

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties have another shape in every type of resource
  readonly Properties?: any;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export interface IdleLine {
  readonly what: string;
  readonly count: number;
  readonly usd: number;
}

const MINUTES_PER_MONTH = 43_800;
/** The cost of a scheduled run that finds nothing to do: seconds, memory of its function in GB, and read request units. */
const RUN = { seconds: 0.3, gigabytes: 0.25, readUnits: 32 };
/** Compressed size of the image of the media steps, GB. */
const IMAGE_GB = 0.6;

export function idleCosts(templates: readonly Template[]): IdleLine[] {
  const resources = templates.flatMap((template) => Object.values(template.Resources));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const count = (what: string, of: number, usdEach: number): IdleLine => ({
    what,
    count: of,
    usd: of * usdEach,
  });
  const alarmMetrics = ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0);
  const rules = ofType('AWS::WAFv2::WebACL').reduce(
    (sum, { Properties }) => sum + Properties.Rules.length,
    0,
  );
  const runs = ofType('AWS::Scheduler::Schedule').reduce((sum, schedule) => sum + runsOf(schedule), 0);
  const images = ofType('AWS::ECR::Repository').length;
  return [
    count('metrics of alarms', alarmMetrics, awsPrices.alarmMetric.usd),
    count('dashboards', ofType('AWS::CloudWatch::Dashboard').length, awsPrices.dashboard.usd),
    count('keys', ofType('AWS::KMS::Key').length, awsPrices.key.usd),
    count('secrets', ofType('AWS::SecretsManager::Secret').length, awsPrices.secret.usd),
    count('web ACLs', ofType('AWS::WAFv2::WebACL').length, awsPrices.webAcl.usd),
    count('rules of web ACLs', rules, awsPrices.webAclRule.usd),
    count('runs by the clock', runs, runCost),
    count('images of media steps', images, IMAGE_GB * awsPrices.imageGb.usd),
  ].filter((line) => line.count > 0);
}

/** Returns the number of metrics in an alarm on an expression. AWS charges the alarm for each of them. */
const metricsOf = ({ Properties }: Resource): number =>
  (Properties.Metrics as { MetricStat?: object }[] | undefined)?.filter(({ MetricStat }) => MetricStat)
    .length ?? 1;

function runsOf({ Properties }: Resource): number {
  const [, every, unit = ''] =
    /^rate\((\d+) (minute|hour|day)s?\)$/.exec(Properties.ScheduleExpression) ?? [];
  const minutes = { minute: 1, hour: 60, day: 1440 }[unit];
  return minutes === undefined ? 0 : MINUTES_PER_MONTH / (Number(every) * minutes);
}

const runCost =
  awsPrices.lambdaRequest.usd +
  RUN.seconds * RUN.gigabytes * awsPrices.lambdaGbSecond.usd +
  RUN.readUnits * awsPrices.readUnit.usd +
  awsPrices.trace.usd;

/** The minimum billed duration: Amazon Transcribe charges at least 15 seconds (https://aws.amazon.com/transcribe/pricing/). */
const LEAST_MINUTES = 0.25;
/** The minimum billed text: Amazon Comprehend charges at least 300 characters (https://aws.amazon.com/comprehend/pricing/). */
const LEAST_CHARACTERS = 300;
/**
 * The GB-seconds of one canary run: nine steps with cold starts, and the canary itself, which waits for two minutes at 256 MB. This
 * is an estimate that was not measured on AWS.
 */
const GB_SECONDS = 70;
/** The state transitions of one canary run. The local executor counts 30 for the job and its deletion. Each poll of Transcribe needs 3. */
const TRANSITIONS = 50;
/** Metrics that the canary publishes in each hour with a successful run (lambdas/canary/rules/outcome.ts). */
const METRICS = 6;

/**
 * Monthly cost of the canary. Each run costs as much as an ordinary job, and engines have a minimum price.
 * @param settings engine settings, as in the functions of the environment
 */
export function canaryCosts(canary: CanarySettings | null | undefined, settings: Settings): IdleLine[] {
  if (!canary) return [];
  const tries = MINUTES_PER_MONTH / canary.everyMinutes;
  const line = (what: string, usd: number): IdleLine => ({
    what: `canary: ${what}`,
    count: tries,
    usd: tries * usd,
  });
  return [
    line('speech to text', LEAST_MINUTES * priceOf('transcription', settings)),
    line('text analysis', (LEAST_CHARACTERS / 1e6) * priceOf('text_analysis', settings)),
    line('steps', GB_SECONDS * awsPrices.lambdaGbSecond.usd),
    line('state machines', TRANSITIONS * awsPrices.stateTransition.usd),
    { what: 'canary: metrics', count: METRICS, usd: METRICS * awsPrices.metric.usd },
  ];
}

/** Returns 0 if the capability has no engine, or if its engine is free. */
function priceOf(capability: Capability, settings: Settings): number {
  const choice = choose(capability, declarations[capability], settings);
  return choice.status === 'available' ? (choice.engine.price?.usd ?? 0) : 0;
}
