/** Checks the certificates of the custom domains, and their zones in Route 53. */
import { type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { globalRegion } from '../../../lib/environment-checks.ts';
import { defined } from '../../../shared/checked-access.ts';
import { awsIn } from '../../deployment/clients.ts';
import { type HostedZone, hostedZone } from '../../deployment/hosted-zones.ts';
import type { Target } from '../../deployment/targets.ts';
import { check, doubtful, failing, type Judgement, type Subject, well } from '../check.ts';

interface Domain {
  readonly setting: string;
  readonly region: string;
  readonly names: readonly string[];
  readonly certificateArn: string;
  readonly hostedZoneId?: string;
}

function domainsOf({ region, environment: { api, site } }: Target): Domain[] {
  return [
    ...(api.domain ? [{ ...api.domain, setting: 'api.domain', region, names: [api.domain.name] }] : []),
    ...(site.domain
      ? [
          {
            ...site.domain,
            setting: 'site.domain',
            region: globalRegion,
            names: [site.domain.name, ...(site.domain.alternateNames ?? [])],
          },
        ]
      : []),
  ];
}

/** Whether the certificates of the domains exist, are issued and cover all names. */
export const certificates = check({
  title: 'Certificates',
  read: (subject) =>
    Promise.all(
      domainsOf(subject.target).map(async (domain) => ({
        domain,
        found: await certificateOf(domain, subject),
      })),
    ),
  judge: (all, { name }) => {
    if (all.length === 0) return well('none needed: API and site use the domain names of AWS');
    return all.flatMap(({ domain, found }) => judgedCertificate(domain, found, name));
  },
});

async function certificateOf(
  { certificateArn: CertificateArn, region }: Domain,
  { regions }: Subject,
): Promise<CertificateDetail | null> {
  const { acm } = regions.find((one) => one.region === region) ?? awsIn(region);
  try {
    return (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate ?? null;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return null;
    throw error;
  }
}

/** An imported certificate that expires within this number of days is reported, because AWS does not renew it. */
const SOON_DAYS = 30;

function judgedCertificate(domain: Domain, found: CertificateDetail | null, name: string): Judgement[] {
  const { setting, certificateArn, region, names } = domain;
  const where = `${setting}.certificateArn in environments/${name}.ts`;
  const all = names.join(', ');
  const anew = `Request one in ${region} (console, Certificate Manager) for ${all}, and set ${where}.`;
  const [, , , place] = certificateArn.split(':');
  if (place !== region)
    return [failing(`${setting}: the certificate is in ${place}; it must be in ${region}`, anew)];
  if (found === null) return [failing(`${setting}: this account has no certificate ${certificateArn}`, anew)];
  if (found.Status === 'PENDING_VALIDATION')
    return [failing(`${setting}: the certificate is waiting for proof that you own ${all}`, proofOf(found))];
  if (found.Status !== 'ISSUED') return [failing(`${setting}: the certificate is ${found.Status}`, anew)];
  const covered = [found.DomainName ?? '', ...(found.SubjectAlternativeNames ?? [])];
  const bare = names.filter((one) => !covered.some((pattern) => covers(pattern, one)));
  if (bare.length > 0)
    return [
      failing(`${setting}: the certificate is for ${covered.join(', ')}, not for ${bare.join(', ')}`, anew),
    ];
  return [well(`${setting}: issued for ${all}`), ...ending(found, setting, anew)];
}

/** Returns the DNS records for which Certificate Manager waits. */
function proofOf({ DomainValidationOptions = [] }: CertificateDetail): string {
  const records = DomainValidationOptions.flatMap(({ ResourceRecord: record }) =>
    record === undefined ? [] : [`${record.Name} ${record.Type} ${record.Value}`],
  );
  if (records.length === 0)
    return 'Confirm the e-mail that Certificate Manager sent to the owner of the domain.';
  return `Create this record in the domain's DNS and wait some minutes: ${[...new Set(records)].join('; ')}`;
}

/** A wildcard matches one label: `*.kinora.example` matches neither `kinora.example` nor `a.b.kinora.example`. */
function covers(pattern: string, name: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === name;
  return name.includes('.') && name.slice(name.indexOf('.') + 1) === pattern.slice(2);
}

function ending({ NotAfter, Type }: CertificateDetail, setting: string, anew: string): Judgement[] {
  const days = NotAfter === undefined ? Infinity : (NotAfter.getTime() - Date.now()) / 86_400_000;
  // AWS renews its own certificates while their DNS records exist.
  if (days > SOON_DAYS || Type !== 'IMPORTED') return [];
  return [doubtful(`${setting}: the imported certificate ends in ${Math.floor(days)} days`, anew)];
}

/** Whether the zones for the domains exist, are public and contain the domains. */
export const hostedZones = check({
  title: 'Hosted zones',
  read: async ({ target, regions: [own] }) => {
    const found = domainsOf(target).map(async ({ hostedZoneId: id, ...domain }) =>
      id === undefined ? [] : [{ ...domain, id, found: await hostedZone(defined(own), id) }],
    );
    return (await Promise.all(found)).flat();
  },
  judge: (all, { name }) => {
    if (all.length === 0) return well('none set: the deployment creates no records in Route 53');
    return all.map((zone) => judgedZone(zone, name));
  },
});

type Zone = Pick<Domain, 'setting' | 'names'> & { readonly id: string; readonly found: HostedZone | null };

function judgedZone({ setting, names, id, found }: Zone, name: string): Judgement {
  const all = names.join(', ');
  const cure = `Set ${setting}.hostedZoneId in environments/${name}.ts to the public zone of ${all} (console, Route 53, Hosted zones). Or remove it, and create the records that the stack's outputs name at your DNS provider.`;
  if (found === null) return failing(`${setting}: this account has no hosted zone ${id}`, cure);
  if (found.isPrivate)
    return failing(`${setting}: the hosted zone ${id} is private, so the Internet cannot see it`, cure);
  const outside = names.filter((one) => one !== found.name && !one.endsWith(`.${found.name}`));
  if (outside.length === 0)
    return well(`${setting}: the hosted zone ${found.name} receives the records of ${all}`);
  return failing(`${setting}: the hosted zone ${id} contains ${found.name}, not ${outside.join(', ')}`, cure);
}
