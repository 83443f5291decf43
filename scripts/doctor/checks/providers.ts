/** Whether the account has of the services of engines what the environment's file counts on: jobs wait by what that says. */
import {
  type ProviderQuota,
  type ProviderQuotaName,
  providerQuotaNames,
  providerQuotas,
} from '../../../engines/provider-quotas.ts';
import { providerLinesOf } from '../../../lib/jobs/provider-lines.ts';
import type { Target } from '../../deployment/target.ts';
import { check } from '../check.ts';
import { failing, type Judgement, well } from '../finding.ts';
import { consoleOf, givenQuota, isUnknown, type ServiceQuota } from '../given-quota.ts';

interface Given {
  readonly name: ProviderQuotaName;
  readonly quota: ServiceQuota;
  readonly value: number;
}

export const providers = check({
  title: 'Providers',
  read: async ({ target, regions: [aws] }) => {
    const read = listed(target).map(async ({ name, quota }): Promise<Given[]> => {
      try {
        return [{ name, quota, value: await givenQuota(aws!.quotas, quota) }];
      } catch (error) {
        // Whether the service is in the region is examined apart: services.ts.
        if (isUnknown(error)) return [];
        throw error;
      }
    });
    return (await Promise.all(read)).flat();
  },
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
  if (wanted <= value) return null;
  return failing(
    `the account has ${value} ${providerQuotas[name].counts}; environments/${env}.ts counts on ${wanted}`,
    `Set quotas.${name} in environments/${env}.ts to ${value}. Ask for more: ${consoleOf(quota, region)}`,
  );
}

function told({ name, value }: Given, { environment, name: env }: Target): string {
  const wanted = environment.quotas[name];
  const unused = value > wanted ? ` (quotas.${name} in environments/${env}.ts may be raised up to it)` : '';
  return `${value} ${providerQuotas[name].counts}${unused}`;
}
