/** Whether the account has of the services of engines what the environment's file counts on: jobs wait by what that says. */
import {
  type ProviderQuota,
  type ProviderQuotaName,
  providerQuotaNames,
  providerQuotas,
} from '../../../engines/provider-quotas.ts';
import { providerLinesOf } from '../../../lib/jobs/provider-lines.ts';
import type { Target } from '../../deployment/targets.ts';
import { check } from '../check.ts';
import { failing, type Judgement, well } from '../finding.ts';
import { consoleOf, givenQuotaIfKnown, type ServiceQuota, unknownQuota } from '../given-quota.ts';

interface Given {
  readonly name: ProviderQuotaName;
  readonly quota: ServiceQuota;
  /** Null where Service Quotas does not know it. */
  readonly value: number | null;
}

export const providers = check({
  title: 'Providers',
  read: ({ target, regions: [aws] }) =>
    Promise.all(
      listed(target).map(
        async ({ name, quota }): Promise<Given> => ({
          ...{ name, quota },
          value: await givenQuotaIfKnown(aws!.quotas, quota),
        }),
      ),
    ),
  judge: (all, target) => {
    const short = all.flatMap((given) => judged(given, target) ?? []);
    if (short.length > 0) return short;
    return well(all.map((given) => told(given, target)).join(', ') || 'AWS tells no quota of them');
  },
});

/** Those of the engines in use that Service Quotas has. */
function listed({ environment }: Target) {
  const lines = providerLinesOf(environment) ?? {};
  return providerQuotaNames.flatMap((name) => {
    const { listed: quota }: ProviderQuota = providerQuotas[name];
    return lines[name] && quota ? [{ name, quota }] : [];
  });
}

function judged({ name, quota, value }: Given, { environment, name: env, region }: Target): Judgement | null {
  const wanted = environment.quotas[name];
  const { counts } = providerQuotas[name];
  if (value === null)
    return unknownQuota(counts, quota, region, `environments/${env}.ts counts on ${wanted}`);
  if (wanted <= value) return null;
  return failing(
    `the account has ${value} ${counts}; environments/${env}.ts counts on ${wanted}`,
    `Set quotas.${name} in environments/${env}.ts to ${value}. Ask for more: ${consoleOf(quota, region)}`,
  );
}

function told({ name, value }: Given, { environment, name: env }: Target): string {
  const wanted = environment.quotas[name];
  const unused =
    value !== null && value > wanted
      ? ` (quotas.${name} in environments/${env}.ts may be raised up to it)`
      : '';
  return `${value} ${providerQuotas[name].counts}${unused}`;
}
