/** Checks quotas of other services that an environment can reach. */
import { resourceNames } from '../../../contract/index.ts';
import { referenceRoutes } from '../../../lib/api/reference.ts';
import { routes } from '../../../lib/api/routes.ts';
import { schedules, steps } from '../../../lib/jobs/steps.ts';
import { check } from '../check.ts';
import { doubtful, failing, type Judgement, well } from '../finding.ts';
import { consoleOf, givenQuotaIfKnown, type ServiceQuota, unknownQuota } from '../given-quota.ts';

interface Quota extends ServiceQuota {
  readonly name: string;
  /** How much one environment uses. */
  readonly needed: number;
  /** Per account, not per region: Service Quotas lists it in us-east-1. */
  readonly isGlobal?: true;
  /** Other workloads of the account use it too; how much is unknown. */
  readonly isShared?: true;
}

/** Roles that belong to no function: machines, the image's build, the site's deployment. */
const OTHER_ROLES = 20;

/**
 * The use of one environment; a test compares it with the templates. Names and codes are from `aws service-quotas
 * list-service-quotas`.
 */
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
  // verified have 0 (https://github.com/aws-samples/aws-secure-environment-accelerator/issues/982); a new one has 1, which is
  // enough: https://docs.aws.amazon.com/codebuild/latest/userguide/limits.html
  {
    name: 'builds of CodeBuild at once (ARM/Small)',
    service: 'codebuild',
    code: 'L-5ED1D25B',
    needed: 1,
  },
];

export const quotas = check({
  title: 'Quotas',
  read: ({ regions }) =>
    Promise.all(
      counted.map(async (quota) => {
        const aws = (quota.isGlobal && regions.at(-1)) || regions[0]!;
        return { quota, region: aws.region, value: await givenQuotaIfKnown(aws.quotas, quota) };
      }),
    ),
  judge: (all) => {
    const scarce = all.flatMap(({ quota, region, value }) => judged(quota, region, value) ?? []);
    if (scarce.length > 0) return scarce;
    return well(all.map(({ quota, value }) => `${quota.needed} of ${value} ${quota.name}`).join(', '));
  },
});

/** The share of a shared quota from which other workloads may cause a failure. */
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
