import { describe, expect, it } from 'vitest';
import { type EnvironmentSettings, environmentOf } from '../../../lib/environments.ts';
import { awsIn } from '../../../scripts/deployment/clients.ts';
import { targetOf } from '../../../scripts/deployment/targets.ts';
import { examine, type Finding, linesOf, summaryOf } from '../../../scripts/doctor/check.ts';
import { checksBefore } from '../../../scripts/doctor/checks.ts';
import { play } from './recorded.ts';

const plain: EnvironmentSettings = { region: 'eu-central-1', alerts: { email: 'ops@kinora.example' } };
const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/0a1b2c3d-1111-4222-8333-444455556666`;
const withDomains: EnvironmentSettings = {
  ...plain,
  api: { domain: { name: 'api.kinora.example', certificateArn: certificate('eu-central-1') } },
  site: {
    domain: {
      name: 'kinora.example',
      alternateNames: ['www.kinora.example'],
      certificateArn: certificate('us-east-1'),
    },
  },
};

async function examined(situation: string, settings = plain): Promise<Finding[]> {
  const unknown = play(situation);
  const target = targetOf(environmentOf('dev', settings));
  const findings = await examine(checksBefore, { target, regions: target.regions.map(awsIn) });
  expect(unknown).toEqual([]);
  return findings;
}

const of = (findings: readonly Finding[], level: Finding['level']) =>
  findings.filter((finding) => finding.level === level).map(({ title, says }) => `${title}: ${says}`);

describe('npm run doctor before a deployment', () => {
  it.each([
    [undefined, 'its alarms notify no one'],
    [{ topicArn: 'arn:aws:sns:eu-central-1:123456789012:pager' }, 'the alarms of its site notify no one'],
  ])('reports alarms that notify no one: %j', async (alerts, says) => {
    const findings = await examined('ready-account', { region: 'eu-central-1', ...(alerts && { alerts }) });
    expect(of(findings, 'doubtful')).toEqual([`Alerts: ${says}`]);
  });

  it('passes an account that is ready', async () => {
    const findings = await examined('ready-account');
    expect(summaryOf(findings)).toBe('No problems found.');
    expect(new Set(findings.map(({ title }) => title)).size).toBe(checksBefore.length);
    expect(findings.flatMap(linesOf).join('\n')).toMatch(/account 123456789012; the region is eu-central-1/);
  });

  it('accepts the default quotas of a new account, and reports what the account lacks', async () => {
    const findings = await examined('new-account');
    expect(of(findings, 'failing')).toEqual([
      expect.stringMatching(/^Services: Amazon Transcribe: The account may not use the service yet/),
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Bootstrap: eu-central-1 is not bootstrapped for the CDK yet',
      'Bootstrap: us-east-1 is not bootstrapped for the CDK yet',
      expect.stringMatching(/^Lambda: 10 concurrent functions, as in a new account/),
    ]);
    expect(of(findings, 'well')).toContain(
      'Lambda: functions use at most 3,008 MB, which every account allows',
    );
  });

  it.each(['no-credentials', 'expired-credentials'])(
    'makes no other check without credentials: %s',
    async (situation) => {
      const findings = await examined(situation);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ level: 'failing', cure: expect.stringContaining('Sign in again') });
    },
  );

  it('refuses credentials of another account', async () => {
    const [finding, ...others] = await examined('ready-account', { ...plain, account: '999999999999' });
    expect(others).toEqual([]);
    expect(linesOf(finding!)).toEqual([
      '✗ Credentials: they belong to the account 123456789012; environments/dev.ts names 999999999999',
      '  → Use credentials of that account: set AWS_PROFILE, or sign in again.',
    ]);
  });

  it('refuses an environment with protected data that names no account', async () => {
    const [finding, ...others] = await examined('ready-account', { ...plain, deletionProtection: true });
    expect(others).toEqual([]);
    expect(linesOf(finding!)[0]).toContain('any account may deploy it');
    const [named] = await examined('ready-account', {
      ...{ ...plain, deletionProtection: true, account: '123456789012' },
    });
    expect(linesOf(named!)[0]).toMatch(/^✓/);
  });

  it('distinguishes an outdated bootstrap from an incomplete one', async () => {
    const findings = await examined('old-bootstrap');
    expect(of(findings, 'doubtful')).toEqual(['Bootstrap: version 4 in eu-central-1; version 6 is needed']);
    expect(of(findings, 'failing')).toEqual([
      'Bootstrap: the stack CDKToolkit in us-east-1 is ROLLBACK_COMPLETE',
    ]);
  });

  it('refuses settings above the limits of the account', async () => {
    const findings = await examined('new-account', {
      ...plain,
      quotas: { lambdaMemory: 10_240, lambdaConcurrency: 1000 },
    });
    expect(of(findings, 'failing')).toContain(
      'Lambda: the account allows 10 concurrent functions; environments/dev.ts expects 1000',
    );
    expect(of(findings, 'doubtful')).toContainEqual(
      expect.stringMatching(/^Lambda: environments\/dev.ts expects 10,240 MB; new accounts allow 3,008/),
    );
  });

  it('reports the provider quotas of the account, and which settings can be raised', async () => {
    const findings = await examined('ready-account');
    expect(of(findings, 'well')).toContainEqual(
      expect.stringMatching(
        /^Providers: 250 jobs of Amazon Transcribe at once, 5 pictures .*, 100 .* faces \(quotas.rekognitionFacesPerSecond in environments\/dev.ts can be raised/,
      ),
    );
  });

  it('refuses provider quotas above those of the account, and ignores unused ones', async () => {
    const quotas = { transcribeJobs: 1000, rekognitionTextPerSecond: 50 };
    const engineOverrides = { ocr: 'tesseract' };
    const findings = await examined('new-account', { ...plain, quotas, engineOverrides });
    const [finding, ...others] = findings.filter(({ title }) => title === 'Providers');
    expect(others).toEqual([]);
    expect(linesOf(finding!)).toEqual([
      '✗ Providers: the account has 250 jobs of Amazon Transcribe at once; environments/dev.ts expects 1000',
      expect.stringMatching(
        /Set quotas.transcribeJobs in environments\/dev.ts to 250\. Ask for more: https:.*\/transcribe\/quotas\/L-6F7AB1C9/,
      ),
    ]);
  });

  it('reports quotas that are used up', async () => {
    const findings = await examined('full-account');
    expect(of(findings, 'failing')).toEqual([
      'Lambda: 200 MB are left for the code of functions in eu-central-1',
      expect.stringMatching(/^Quotas: \d+ routes of an HTTP API are needed; the account has 100$/),
      'Providers: the account has 100 jobs of Amazon Transcribe at once; environments/dev.ts expects 250',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Lambda: 8 of 1000 concurrent functions are unreserved; environments/dev.ts expects 10',
      expect.stringMatching(/^Quotas: \d+ of 150 roles of an account are needed$/),
    ]);
  });

  it('reports an account without CodeBuild builds, and where to find an unknown quota code', async () => {
    const findings = await examined('account-without-trust');
    expect(of(findings, 'failing')).toEqual([
      'Quotas: 1 builds of CodeBuild at once (ARM/Small) are needed; the account has 0',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Quotas: Service Quotas has no L-7D134442 of cloudfront in us-east-1 (cache policies of CloudFront); 1 are needed',
      expect.stringMatching(
        /^Providers: Service Quotas has no L-87CF5BA6 of rekognition .*dev\.ts expects 5$/,
      ),
    ]);
    const [unknown] = findings.filter(({ level, title }) => level === 'doubtful' && title === 'Quotas');
    expect(linesOf(unknown!).join(' ')).toMatch(/us-east-1\.console.*\/services\/cloudfront\/quotas$/);
  });

  it('reports services that a region lacks, and missing permissions', async () => {
    const findings = await examined('region-without-services', { ...plain, region: 'eu-south-1' });
    expect(of(findings, 'doubtful')).toEqual([
      expect.stringContaining("CodeBuild's reference does not list eu-south-1"),
    ]);
    expect(of(findings, 'failing')).toEqual([
      expect.stringMatching(
        /^Services: Amazon Translate: The credentials do not allow this: .*translate:ListLanguages/,
      ),
      expect.stringMatching(/^Services: Amazon Rekognition: The service has no address in this region/),
    ]);
  });

  it('calls a Bedrock model only if the settings name one, and says where to request access', async () => {
    const findings = await examined('model-without-access', {
      ...plain,
      engineOverrides: { translation: 'bedrock' },
      engineSettings: { BEDROCK_MODEL_ID: 'amazon.nova-lite-v1:0' },
    });
    const [finding] = findings.filter(({ level }) => level === 'failing');
    expect(linesOf(finding!).join(' ')).toMatch(
      /Amazon Bedrock: .*access to the model.* Model access, in eu-central-1/,
    );
  });

  it('accepts certificates that cover all names', async () => {
    const findings = await examined('issued-certificates', withDomains);
    expect(of(findings, 'well')).toEqual(
      expect.arrayContaining([
        'Certificates: api.domain: issued for api.kinora.example',
        'Certificates: site.domain: issued for kinora.example, www.kinora.example',
      ]),
    );
  });

  it.each([
    ['pending-certificate', /waiting for proof/, /_3639\w+\.kinora\.example\. CNAME _bc3e8aa1d2b7a5f4/],
    [
      'certificate-for-other-names',
      /is for other.example.*, not for api.kinora.example/,
      /Request one in eu-central-1/,
    ],
    ['certificate-for-other-names', /not for www.kinora.example/, /Request one in us-east-1/],
    ['missing-certificate', /has no certificate/, /Request one in eu-central-1/],
  ])('reports an unusable certificate and how to fix it: %s', async (situation, says, cure) => {
    const findings = await examined(situation, withDomains);
    expect(findings).toContainEqual({
      title: 'Certificates',
      level: 'failing',
      says: expect.stringMatching(says),
      cure: expect.stringMatching(cure),
    });
  });

  it('refuses a certificate of the wrong region without calling AWS', () => {
    const settings = {
      ...withDomains,
      site: { domain: { name: 'kinora.example', certificateArn: certificate('eu-central-1') } },
    };
    expect(() => environmentOf('dev', settings)).toThrow(/environments\/dev\.ts:\n.*us-east-1/);
  });

  /** Two domains: the zone of the first contains the API's domain, the zone of the second the site's. */
  const withZones = (api: string, site?: string): EnvironmentSettings => ({
    ...withDomains,
    api: { domain: { ...withDomains.api!.domain!, hostedZoneId: api } },
    site: { domain: { ...withDomains.site!.domain!, ...(site && { hostedZoneId: site }) } },
  });

  it('accepts the hosted zones that the settings name', async () => {
    const findings = await examined('hosted-zones', withZones('Z0OWN', 'Z0OWN'));
    expect(of(findings, 'well')).toEqual(
      expect.arrayContaining([
        'Hosted zones: api.domain: the hosted zone kinora.example receives the records of api.kinora.example',
        'Hosted zones: site.domain: the hosted zone kinora.example receives the records of kinora.example, www.kinora.example',
      ]),
    );
    const without = await examined('issued-certificates', withDomains);
    expect(of(without, 'well')).toContain(
      'Hosted zones: none set: the deployment creates no records in Route 53',
    );
  });

  it.each([
    ['Z0GONE', /^api.domain: this account has no hosted zone Z0GONE/, /api.domain.hostedZoneId in env/],
    ['Z0INSIDE', /^api.domain: .*private/, /public zone of api.kinora.example/],
    // The domain ends with the zone's name, but not at a label boundary.
    ['Z0OTHER', /^api.domain: .* contains nora.example, not api.kinora.example/, /remove it/],
    ['Z0SECRET', /^The credentials do not allow this: .*route53:GetHostedZone/, /AdministratorAccess/],
  ])('reports an unusable hosted zone and how to fix it: %s', async (zone, says, cure) => {
    const findings = await examined('hosted-zones', withZones(zone));
    expect(findings.filter(({ title }) => title === 'Hosted zones')).toEqual([
      {
        ...{ title: 'Hosted zones', level: 'failing' },
        ...{ says: expect.stringMatching(says), cure: expect.stringMatching(cure) },
      },
    ]);
  });

  it('reports stacks that block a deployment, except those of other environments', async () => {
    const findings = await examined('stuck-stacks');
    expect(of(findings, 'failing')).toEqual([
      'Stacks: Kinora-dev-Jobs is UPDATE_ROLLBACK_FAILED',
      'Stacks: Kinora-dev-Data is UPDATE_IN_PROGRESS: a deployment is running',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Stacks: Kinora-dev-Api is ROLLBACK_COMPLETE: its first deployment failed',
    ]);
  });
});
