/** Checks whether the account has the provider quotas that the environment's file expects. Jobs wait by those numbers. */
import {
  type ProviderQuota,
  type ProviderQuotaName,
  providerQuotaNames,
  providerQuotas,
} from '../../../engines/provider-quotas.ts';
import { providerPoolsOf } from '../../../lib/jobs/provider-pools.ts';
import type { Target } from '../../deployment/targets.ts';
import { check } from '../check.ts';
import { failing, type Judgement, well } from '../finding.ts';
import { consoleOf, givenQuotaIfKnown, type ServiceQuota, unknownQuota } from '../given-quota.ts';

interface Given {
  readonly name: ProviderQuotaName;
  readonly quota: ServiceQuota;
  /** Null if Service Quotas does not know it. */
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
    return well(all.map((given) => told(given, target)).join(', ') || 'AWS reports no quotas for them');
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

function judged({ name, quota, value }: Given, { environment, name: env, region }: Target): Judgement | null {
  const wanted = environment.quotas[name];
  const { counts } = providerQuotas[name];
  if (value === null) return unknownQuota(counts, quota, region, `environments/${env}.ts expects ${wanted}`);
  if (wanted <= value) return null;
  return failing(
    `the account has ${value} ${counts}; environments/${env}.ts expects ${wanted}`,
    `Set quotas.${name} in environments/${env}.ts to ${value}. Ask for more: ${consoleOf(quota, region)}`,
  );
}

function told({ name, value }: Given, { environment, name: env }: Target): string {
  const wanted = environment.quotas[name];
  const unused =
    value !== null && value > wanted ? ` (quotas.${name} in environments/${env}.ts can be raised to it)` : '';
  return `${value} ${providerQuotas[name].counts}${unused}`;
}
