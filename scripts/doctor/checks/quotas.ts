/** Checks the quotas of the account: of services whose quotas an environment may use up, and of the providers of its engines. */
import { GetAWSDefaultServiceQuotaCommand, GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { resourceNames } from '../../../contract/index.ts';
import {
  type ProviderQuota,
  type ProviderQuotaName,
  providerQuotaNames,
  providerQuotas,
} from '../../../engines/provider-quotas.ts';
import { referenceRoutes, routes } from '../../../lib/api/routes.ts';
import { providerPoolsOf } from '../../../lib/jobs/provider-pools.ts';
import { schedules, steps } from '../../../lib/jobs/steps.ts';
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { Aws } from '../../deployment/clients.ts';
import type { Target } from '../../deployment/targets.ts';
import { check, doubtful, failing, type Judgement, well } from '../check.ts';

interface ServiceQuota {
  /** The service code in the address of its console page. */
  readonly service: string;
  readonly code: string;
}

/**
 * Returns the quota of the account, or the default if it was never changed. Null if Service Quotas does not list it: codes can
 * change, and some regions do not have all quotas.
 */
async function givenQuota({ quotas }: Aws, { service, code }: ServiceQuota): Promise<number | null> {
  const input = { ServiceCode: service, QuotaCode: code };
  for (const Command of [GetServiceQuotaCommand, GetAWSDefaultServiceQuotaCommand])
    try {
      return defined(defined((await quotas.send(new Command(input))).Quota).Value);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  return null;
}

/** @param wanted the amount that the environment needs */
const unknownQuota = (name: string, { service, code }: ServiceQuota, region: string, wanted: string) =>
  doubtful(
    `Service Quotas has no ${code} of ${service} in ${region} (${name}); ${wanted}`,
    `Search for it by name: https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas`,
  );

/** Whether Service Quotas does not know the quota: its code is unknown, or the region does not have the service. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NoSuchResourceException';

const consoleOf = ({ service, code }: ServiceQuota, region: string): string =>
  `https://${region}.console.aws.amazon.com/servicequotas/home/services/${service}/quotas/${code}`;

interface Quota extends ServiceQuota {
  readonly name: string;
  /** The amount that one environment needs. */
  readonly needed: number;
  /** Set if the quota is per account, not per region. Service Quotas lists it in us-east-1. */
  readonly isGlobal?: true;
  /** Set if other workloads of the account also use this quota. Their use is unknown. */
  readonly isShared?: true;
}

/** The number of roles that do not belong to functions: machines, the build of the image, the deployment of the site. */
const OTHER_ROLES = 20;

/** The needs of one environment. A test compares them with the templates. Names and codes are from `aws service-quotas list-service-quotas`. */
export const counted: readonly Quota[] = [
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
  {
    name: 'routes of an HTTP API',
    service: 'apigateway',
    code: 'L-65B5C802',
    needed: routes.length + referenceRoutes.length + 1,
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  {
    name: 'roles of an account',
    service: 'iam',
    code: 'L-FE177D64',
    needed: resourceNames.length + Object.keys(steps).length + Object.keys(schedules).length + OTHER_ROLES,
    isGlobal: true,
    isShared: true,
  },
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  {
    name: 'cache policies of CloudFront',
    service: 'cloudfront',
    code: 'L-7D134442',
    needed: 1,
    isGlobal: true,
    isShared: true,
  },
  // "Concurrently running builds for ARM/Small environment", which builds the image of the media steps. Accounts that AWS has not
  // verified have 0 (https://github.com/aws-samples/aws-secure-environment-accelerator/issues/982); a new account has 1, which is
  // enough: https://docs.aws.amazon.com/codebuild/latest/userguide/limits.html
  {
    name: 'builds of CodeBuild at once (ARM/Small)',
    service: 'codebuild',
    code: 'L-5ED1D25B',
    needed: 1,
  },
];

/** Whether the quotas of other services are large enough for an environment. */
export const quotas = check({
  title: 'Quotas',
  read: ({ regions }) =>
    Promise.all(
      counted.map(async (quota) => {
        const aws = (quota.isGlobal && regions.at(-1)) || itemAt(regions, 0);
        return { quota, region: aws.region, value: await givenQuota(aws, quota) };
      }),
    ),
  judge: (all) => {
    const scarce = all.flatMap(({ quota, region, value }) => judged(quota, region, value) ?? []);
    if (scarce.length > 0) return scarce;
    return well(all.map(({ quota, value }) => `${quota.needed} of ${value} ${quota.name}`).join(', '));
  },
});

/** If an environment needs more than this fraction of a shared quota, other workloads may cause a failure. */
const MUCH = 0.5;

function judged(
  { name, needed, isShared, ...quota }: Quota,
  region: string,
  value: number | null,
): Judgement | null {
  if (value === null) return unknownQuota(name, quota, region, `${needed} are needed`);
  const ask = `Request more: ${consoleOf(quota, region)}`;
  if (needed > value) return failing(`${needed} ${name} are needed; the account has ${value}`, ask);
  if (isShared && needed > value * MUCH) return doubtful(`${needed} of ${value} ${name} are needed`, ask);
  return null;
}

interface Given {
  readonly name: ProviderQuotaName;
  readonly quota: ServiceQuota;
  /** Null if Service Quotas does not list the quota. */
  readonly value: number | null;
}

/** Whether the provider quotas in the environment's file are also those of the account. They determine how many jobs run at once. */
export const providers = check({
  title: 'Providers',
  read: ({ target, regions: [aws] }) =>
    Promise.all(
      listed(target).map(
        async (one): Promise<Given> => ({ ...one, value: await givenQuota(defined(aws), one.quota) }),
      ),
    ),
  judge: (all, target) => {
    const short = all.flatMap((given) => judgedProvider(given, target) ?? []);
    if (short.length > 0) return short;
    return well(all.map((given) => describe(given, target)).join(', ') || 'AWS reports no quotas for them');
  },
});

/** Quotas of the engines in use that Service Quotas lists. */
function listed({ environment }: Target) {
  const pools = providerPoolsOf(environment) ?? {};
  return providerQuotaNames.flatMap((name) => {
    const { listed: quota }: ProviderQuota = providerQuotas[name];
    return pools[name] && quota ? [{ name, quota }] : [];
  });
}

function judgedProvider(
  { name, quota, value }: Given,
  { environment, name: env, region }: Target,
): Judgement | null {
  const wanted = environment.quotas[name];
  const { counts } = providerQuotas[name];
  if (value === null) return unknownQuota(counts, quota, region, `environments/${env}.ts expects ${wanted}`);
  if (wanted <= value) return null;
  return failing(
    `the account has ${value} ${counts}; environments/${env}.ts expects ${wanted}`,
    `Set quotas.${name} in environments/${env}.ts to ${value}. Ask for more: ${consoleOf(quota, region)}`,
  );
}

function describe({ name, value }: Given, { environment, name: env }: Target): string {
  const wanted = environment.quotas[name];
  const unused =
    value !== null && value > wanted ? ` (quotas.${name} in environments/${env}.ts can be raised to it)` : '';
  return `${value} ${providerQuotas[name].counts}${unused}`;
}
