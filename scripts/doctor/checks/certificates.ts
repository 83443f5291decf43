/** Checks whether the certificates of the domains exist, are issued and cover all names. */
import { type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { globalRegion } from '../../../lib/environment-checks.ts';
import { type Aws, awsIn } from '../../deployment/clients.ts';
import type { Target } from '../../deployment/targets.ts';
import { check, type Subject } from '../check.ts';
import { doubtful, failing, type Judgement, well } from '../finding.ts';

interface Wanted {
  /** The setting that names it. */
  readonly setting: string;
  readonly arn: string;
  readonly region: string;
  readonly names: readonly string[];
}

export const certificates = check({
  title: 'Certificates',
  read: async (subject) =>
    Promise.all(
      wantedBy(subject.target).map(async (wanted) => ({
        wanted,
        found: await certificateOf(wanted, subject),
      })),
    ),
  judge: (all, { name }) => {
    if (all.length === 0) return well('none needed: API and site use the domain names of AWS');
    return all.flatMap(({ wanted, found }) => judged(wanted, found, name));
  },
});

function wantedBy({ region, environment: { api, site } }: Target): Wanted[] {
  const { domain: ofApi } = api;
  const { domain: ofSite } = site;
  return [
    ...(ofApi === undefined
      ? []
      : [{ setting: 'api.domain', arn: ofApi.certificateArn, region, names: [ofApi.name] }]),
    ...(ofSite === undefined
      ? []
      : [
          {
            setting: 'site.domain',
            arn: ofSite.certificateArn,
            region: globalRegion,
            names: [ofSite.name, ...(ofSite.alternateNames ?? [])],
          },
        ]),
  ];
}

async function certificateOf(
  { arn, region }: Wanted,
  { regions }: Subject,
): Promise<CertificateDetail | null> {
  const aws: Aws = regions.find((one) => one.region === region) ?? awsIn(region);
  try {
    const { Certificate } = await aws.acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
    return Certificate ?? null;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return null;
    throw error;
  }
}

/** An imported certificate that ends within so many days is reported: AWS does not renew it. */
const SOON_DAYS = 30;

function judged(wanted: Wanted, found: CertificateDetail | null, name: string): Judgement[] {
  const { setting, arn, region, names } = wanted;
  const where = `${setting}.certificateArn in environments/${name}.ts`;
  const all = names.join(', ');
  const anew = `Request one in ${region} (console, Certificate Manager) for ${all}, and set ${where}.`;
  if (arn.split(':')[3] !== region)
    return [failing(`${setting}: the certificate is in ${arn.split(':')[3]}; it must be in ${region}`, anew)];
  if (found === null) return [failing(`${setting}: this account has no certificate ${arn}`, anew)];
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

/** The DNS records that Certificate Manager waits for. */
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
