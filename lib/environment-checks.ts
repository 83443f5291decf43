/** Checks the settings of an environment before anything is deployed. Each message says what to do. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { providerQuotaNames, providerQuotas } from '../engines/provider-quotas.ts';
import type { EnvironmentSettings } from './environment-settings.ts';

export function checked(name: string, settings: EnvironmentSettings): EnvironmentSettings {
  const faults = [...faultsIn(settings)];
  if (faults.length === 0) return settings;
  throw new Error([`environments/${name}.ts:`, ...faults.map((fault) => `- ${fault}`)].join('\n'));
}

/** The region of CloudFront's certificates, metrics and logs. */
export const globalRegion = 'us-east-1';

/** Whether a region can have sites. Some partitions have no CloudFront or no CloudFront functions (docs/decisions/0055). */
export const hasSites = (region: string): boolean => !/^(cn|us-gov|us-iso|eusc)/.test(region);

type Faults = Generator<string, void>;

function* faultsIn(settings: EnvironmentSettings): Faults {
  const { region, account, quotas = {}, apiMemory = 512, stepMemory = {}, logRetentionDays = 7 } = settings;
  const { lambdaMemory = 3008, lambdaConcurrency = 10 } = quotas;
  const { packagesOf = 'first', api, site, alerts, monthlyBudget, canary, costAnomalies } = settings;
  if (!isRegion(region ?? '')) yield 'region: name one, such as eu-central-1';
  if (account !== undefined && !/^\d{12}$/.test(account)) yield 'account: an account has 12 digits, as text';
  if (!isWhole(lambdaMemory, 3008, 10_240))
    yield 'quotas.lambdaMemory: 3008 in a new account, 10240 at most; ask Service Quotas for more';
  if (!isWhole(lambdaConcurrency, 10, Infinity))
    yield 'quotas.lambdaConcurrency: 10 in a new account; `npm run doctor` says what yours has';
  for (const name of providerQuotaNames) {
    const { given, source } = providerQuotas[name];
    const usual = Number.isFinite(given) ? `${given} in a new account` : 'AWS names no number';
    // Fractions and infinity are also valid.
    if (!((quotas[name] ?? given) > 0)) yield `quotas.${name}: a number above 0; ${usual}: ${source}`;
  }
  if (!isWhole(apiMemory, 128, lambdaMemory)) yield 'apiMemory: whole MB between 128 and quotas.lambdaMemory';
  for (const [step, memory] of Object.entries(stepMemory))
    if (!isWhole(memory, 128, lambdaMemory))
      yield `stepMemory.${step}: whole MB between 128 and quotas.lambdaMemory`;
  if (!/^[\w.-]+$/.test(packagesOf))
    yield 'packagesOf: letters, digits, dots and hyphens, such as 2026-11-26';
  if (RetentionDays[logRetentionDays] === undefined)
    yield `logRetentionDays: CloudWatch knows ${retentions.join(', ')}`;
  if (api?.domain !== undefined) {
    yield* hostFaults('api.domain.name', api.domain.name);
    yield* arnFaults('api.domain.certificateArn', 'acm', api.domain.certificateArn, region);
  }
  yield* arnFaults('alerts.topicArn', 'sns', alerts?.topicArn, region);
  yield* arnFaults('alerts.siteTopicArn', 'sns', alerts?.siteTopicArn, globalRegion);
  if (alerts?.email !== undefined && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(alerts.email))
    yield 'alerts.email: an address that gets e-mail';
  if (monthlyBudget !== undefined && !(monthlyBudget > 0)) yield 'monthlyBudget: USD a month, above 0';
  // A run takes at most 15 minutes, and the period of an alarm is at most a day.
  if (canary && !isWhole(canary.everyMinutes, 20, 360))
    yield 'canary.everyMinutes: whole minutes between 20 and 360';
  if (costAnomalies === true && monthlyBudget === undefined)
    yield 'costAnomalies: a tenth of monthlyBudget is what counts as unusual; set it as well';
  yield* protectionFaults(settings);
  yield* backupFaults(settings);
  yield* siteFaults(region, site);
}

function* protectionFaults({ region, api, protection }: EnvironmentSettings): Faults {
  if (protection === undefined) return;
  if (!isWhole(protection.requestsPerFiveMinutes, 10, 2_000_000_000))
    yield 'protection.requestsPerFiveMinutes: a whole number, 10 or more';
  if (api?.domain !== undefined && protection.certificateArn === undefined)
    yield 'protection.certificateArn: CloudFront needs one for api.domain, in us-east-1';
  if (!isWhole(protection.generation ?? 0, 0, Infinity))
    yield 'protection.generation: a whole number; raise it by one for a new secret';
  const { origin } = protection;
  if (origin !== undefined) {
    yield* hostFaults('protection.origin.name', origin.name);
    yield* arnFaults('protection.origin.certificateArn', 'acm', origin.certificateArn, region);
    if (origin.name === api?.domain?.name)
      yield 'protection.origin.name: callers use api.domain.name, so CloudFront needs another name';
  }
  if (!hasSites(region)) yield `protection: there is no CloudFront before an API in ${region}`;
  yield* arnFaults('protection.certificateArn', 'acm', protection.certificateArn, globalRegion);
}

function* backupFaults({ region, backup, pointInTimeRecovery }: EnvironmentSettings): Faults {
  if (backup === undefined) return;
  if (!isRegion(backup.region) || backup.region === region)
    yield 'backup.region: name another region than that of the environment, such as eu-west-1';
  if (!isWhole(backup.keepDays, 7, 36_500)) yield 'backup.keepDays: whole days, 7 or more';
  if (pointInTimeRecovery !== true)
    yield 'backup: AWS Backup needs the versions of media; set pointInTimeRecovery as well';
}

const retentions = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days < 9999);

function* siteFaults(region: string, site: EnvironmentSettings['site'] = {}): Faults {
  const { elsewhere, domain, access } = site;
  if (elsewhere !== undefined) {
    if (!isOrigin(elsewhere)) yield 'site.elsewhere: an origin, such as https://kinora.example';
    if (domain !== undefined) yield 'site.domain: there is no site of its own where site.elsewhere is one';
    return;
  }
  if (!hasSites(region))
    yield `site.elsewhere: CloudFront in ${region} cannot serve the site; name the origin of one that is deployed elsewhere`;
  if (access !== undefined && !['public', 'token'].includes(access)) yield 'site.access: public or token';
  if (domain === undefined) return;
  for (const name of [domain.name, ...(domain.alternateNames ?? [])]) yield* hostFaults('site.domain', name);
  yield* arnFaults('site.domain.certificateArn', 'acm', domain.certificateArn, globalRegion);
}

const isRegion = (text: string): boolean => /^[a-z]{2,4}(-[a-z]+)+-\d$/.test(text);

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text.startsWith('https://');
}

function* hostFaults(setting: string, host: string): Faults {
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(host))
    yield `${setting}: ${JSON.stringify(host)} is no name of a host, such as kinora.example`;
}

function* arnFaults(setting: string, service: string, arn: string | undefined, region: string): Faults {
  if (arn === undefined) return;
  const [scheme, partition = '', found, where] = arn.split(':');
  if (scheme !== 'arn' || !partition.startsWith('aws') || found !== service)
    yield `${setting}: ${JSON.stringify(arn)} is no ARN of ${service}`;
  else if (where !== region) yield `${setting}: it lies in ${where}, and has to lie in ${region}`;
}
