/** The zones of Route 53 that get the records of the domains: whether they are there, public, and of these domains. */
import { type HostedZone, hostedZone } from '../../deployment/hosted-zones.ts';
import type { Target } from '../../deployment/targets.ts';
import { check } from '../check.ts';
import { failing, type Judgement, well } from '../finding.ts';

interface Wanted {
  /** Which setting names it. */
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
    if (all.length === 0) return well('none named: no records are made in Route 53');
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
  const cure = `Name the public zone of ${all} (console, Route 53, Hosted zones) as ${setting}.hostedZoneId in environments/${name}.ts; or leave it out and make the records where the domain's DNS is: the stack's outputs say which.`;
  if (found === null) return failing(`${setting}: there is no hosted zone ${id} in this account`, cure);
  if (found.isPrivate)
    return failing(`${setting}: the hosted zone ${id} is private, which nobody outside can see`, cure);
  const outside = names.filter((one) => one !== found.name && !one.endsWith(`.${found.name}`));
  if (outside.length > 0)
    return failing(
      `${setting}: the hosted zone ${id} is of ${found.name}, not of ${outside.join(', ')}`,
      cure,
    );
  return well(`${setting}: the hosted zone of ${found.name} takes the records of ${all}`);
}
