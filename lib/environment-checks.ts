/** Checks the settings of an environment before anything is deployed. Each message says what to do. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { providerQuotaNames, providerQuotas } from '../engines/provider-quotas.ts';
import type { EnvironmentSettings } from './environment-settings.ts';

/** @throws Error that lists every fault, one on each line */
export function checked(name: string, settings: EnvironmentSettings): EnvironmentSettings {
  const faults = rules.flatMap((rule) => rule(settings));
  if (faults.length === 0) return settings;
  throw new Error([`environments/${name}.ts:`, ...faults.map((fault) => `- ${fault}`)].join('\n'));
}

/** CloudFront needs certificates in this region, and publishes its metrics and logs there. */
export const globalRegion = 'us-east-1';

/** In these partitions, CloudFront is missing, has no functions or has other rules (docs/decisions/0055). */
export const hasSites = (region: string): boolean => !/^(cn|us-gov|us-iso|eusc)/.test(region);

type Rule = (settings: EnvironmentSettings) => string[];

const rules: readonly Rule[] = [
  ({ region }) =>
    unless(/^[a-z]{2,4}(-[a-z]+)+-\d$/.test(region ?? ''), 'region: name one, such as eu-central-1'),
  ({ account }) =>
    unless(account === undefined || /^\d{12}$/.test(account), 'account: an account has 12 digits, as text'),
  ({ quotas: { lambdaMemory = 3008, lambdaConcurrency = 10 } = {} }) => [
    ...unless(
      isWhole(lambdaMemory, 3008, 10_240),
      'quotas.lambdaMemory: 3008 in a new account, 10240 at most; ask Service Quotas for more',
    ),
    ...unless(
      isWhole(lambdaConcurrency, 10, Infinity),
      'quotas.lambdaConcurrency: 10 in a new account; `npm run doctor` says what yours has',
    ),
  ],
  ({ quotas = {} }) =>
    providerQuotaNames.flatMap((name) => {
      const { given, source } = providerQuotas[name];
      const usual = Number.isFinite(given) ? `${given} in a new account` : 'AWS names no number';
      return unless(isCount(quotas[name] ?? given), `quotas.${name}: a number above 0; ${usual}: ${source}`);
    }),
  ({ apiMemory = 512, quotas }) =>
    unless(
      isWhole(apiMemory, 128, quotas?.lambdaMemory ?? 3008),
      'apiMemory: whole MB between 128 and quotas.lambdaMemory',
    ),
  ({ stepMemory = {}, quotas }) =>
    Object.entries(stepMemory).flatMap(([step, memory]) =>
      unless(
        isWhole(memory, 128, quotas?.lambdaMemory ?? 3008),
        `stepMemory.${step}: whole MB between 128 and quotas.lambdaMemory`,
      ),
    ),
  ({ logRetentionDays = 7 }) =>
    unless(
      RetentionDays[logRetentionDays] !== undefined,
      `logRetentionDays: CloudWatch knows ${retentions.join(', ')}`,
    ),
  ({ region, api }) =>
    api?.domain === undefined
      ? []
      : [
          ...hostFaults('api.domain.name', api.domain.name),
          ...arnFaults('api.domain.certificateArn', 'acm', api.domain.certificateArn, region),
        ],
  ({ region, alerts }) => arnFaults('alerts.topicArn', 'sns', alerts?.topicArn, region),
  ({ alerts }) => arnFaults('alerts.siteTopicArn', 'sns', alerts?.siteTopicArn, globalRegion),
  ({ alerts }) =>
    unless(
      alerts?.email === undefined || /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(alerts.email),
      'alerts.email: an address that gets e-mail',
    ),
  ({ monthlyBudget }) =>
    unless(monthlyBudget === undefined || monthlyBudget > 0, 'monthlyBudget: USD a month, above 0'),
  // A run takes at most 15 minutes, and an alarm looks back at most a day.
  ({ canary }) =>
    unless(
      (canary ?? null) === null || isWhole(canary!.everyMinutes, 20, 360),
      'canary.everyMinutes: whole minutes between 20 and 360',
    ),
  ({ monthlyBudget, costAnomalies }) =>
    unless(
      costAnomalies !== true || monthlyBudget !== undefined,
      'costAnomalies: a tenth of monthlyBudget is what counts as unusual; set it as well',
    ),
  ({ protection, api, region }) =>
    protection === undefined
      ? []
      : [
          ...unless(
            isWhole(protection.requestsPerFiveMinutes, 10, 2_000_000_000),
            'protection.requestsPerFiveMinutes: a whole number, 10 or more',
          ),
          ...unless(
            api?.domain === undefined || protection.certificateArn !== undefined,
            'protection.certificateArn: CloudFront needs one for api.domain, in us-east-1',
          ),
          ...unless(hasSites(region), `protection: there is no CloudFront before an API in ${region}`),
          ...arnFaults('protection.certificateArn', 'acm', protection.certificateArn, globalRegion),
        ],
  ({ region, site }) => siteFaults(region, site),
];

const retentions = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days < 9999);

function siteFaults(region: string, site: EnvironmentSettings['site'] = {}): string[] {
  const { elsewhere, domain, access } = site;
  if (elsewhere !== undefined) {
    return [
      ...unless(isOrigin(elsewhere), 'site.elsewhere: an origin, such as https://kinora.example'),
      ...unless(domain === undefined, 'site.domain: there is no site of its own where site.elsewhere is one'),
    ];
  }
  return [
    ...unless(
      hasSites(region),
      `site.elsewhere: CloudFront in ${region} cannot serve the site; name the origin of one that is deployed elsewhere`,
    ),
    ...unless(access === undefined || ['public', 'token'].includes(access), 'site.access: public or token'),
    ...(domain === undefined
      ? []
      : [
          ...[domain.name, ...(domain.alternateNames ?? [])].flatMap((name) =>
            hostFaults('site.domain', name),
          ),
          ...arnFaults('site.domain.certificateArn', 'acm', domain.certificateArn, globalRegion),
        ]),
  ];
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** Accepts fractions and infinity. */
const isCount = (value: number): boolean => value > 0;

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text.startsWith('https://');
}

const hostFaults = (setting: string, host: string): string[] =>
  unless(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(host),
    `${setting}: ${JSON.stringify(host)} is no name of a host, such as kinora.example`,
  );

/** Checks the region of an ARN. */
function arnFaults(setting: string, service: string, arn: string | undefined, region: string): string[] {
  if (arn === undefined) return [];
  const [scheme, partition = '', found, where] = arn.split(':');
  const isOne = scheme === 'arn' && partition.startsWith('aws') && found === service;
  if (!isOne) return [`${setting}: ${JSON.stringify(arn)} is no ARN of ${service}`];
  return unless(where === region, `${setting}: it lies in ${where}, and has to lie in ${region}`);
}
