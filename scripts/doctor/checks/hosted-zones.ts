/** Checks whether the Route 53 zones for the domains exist, are public and contain the domains. */
import { type HostedZone, hostedZone } from '../../deployment/hosted-zones.ts';
import type { Target } from '../../deployment/targets.ts';
import { check } from '../check.ts';
import { failing, type Judgement, well } from '../finding.ts';

interface Wanted {
  /** The setting that names it. */
  readonly setting: string;
  readonly id: string;
  readonly names: readonly string[];
}

export const hostedZones = check({
  title: 'Hosted zones',
  read: async ({ target, regions: [own] }) =>
    Promise.all(
      wantedBy(target).map(async (wanted) => ({ wanted, found: await hostedZone(own!, wanted.id) })),
    ),
  judge: (all, { name }) => {
    if (all.length === 0) return well('none set: the deployment creates no records in Route 53');
    return all.map(({ wanted, found }) => judged(wanted, found, name));
  },
});

function wantedBy({ environment: { api, site } }: Target): Wanted[] {
  const domains = [
    { setting: 'api.domain', id: api.domain?.hostedZoneId, names: [api.domain?.name ?? ''] },
    {
      setting: 'site.domain',
      id: site.domain?.hostedZoneId,
      names: [site.domain?.name ?? '', ...(site.domain?.alternateNames ?? [])],
    },
  ];
  return domains.flatMap(({ id, ...domain }) => (id === undefined ? [] : [{ id, ...domain }]));
}

function judged({ setting, id, names }: Wanted, found: HostedZone | null, name: string): Judgement {
  const all = names.join(', ');
  const cure = `Set ${setting}.hostedZoneId in environments/${name}.ts to the public zone of ${all} (console, Route 53, Hosted zones). Or remove it, and create the records that the stack's outputs name at your DNS provider.`;
  if (found === null) return failing(`${setting}: this account has no hosted zone ${id}`, cure);
  if (found.isPrivate)
    return failing(`${setting}: the hosted zone ${id} is private, so the Internet cannot see it`, cure);
  const outside = names.filter((one) => one !== found.name && !one.endsWith(`.${found.name}`));
  if (outside.length > 0)
    return failing(
      `${setting}: the hosted zone ${id} contains ${found.name}, not ${outside.join(', ')}`,
      cure,
    );
  return well(`${setting}: the hosted zone ${found.name} receives the records of ${all}`);
}
