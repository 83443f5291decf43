import { describe, expect, it } from 'vitest';
import { type EnvironmentSettings, environmentOf } from '../../../lib/environments.ts';
import { awsIn } from '../../../scripts/deployment/clients.ts';
import { targetOf } from '../../../scripts/deployment/targets.ts';
import { checksBefore } from '../../../scripts/doctor/checks.ts';
import { examine } from '../../../scripts/doctor/examine.ts';
import type { Finding } from '../../../scripts/doctor/finding.ts';
import { linesOf, summaryOf } from '../../../scripts/doctor/report.ts';
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
  it('says where nobody hears of alarms', async () => {
    const findings = await examined('ready-account', { region: 'eu-central-1' });
    expect(of(findings, 'doubtful')).toEqual(['Alerts: nobody hears of its alarms']);
  });

  it('says where nobody hears of those of the site, whose topic has to be another', async () => {
    const topicArn = 'arn:aws:sns:eu-central-1:123456789012:pager';
    const findings = await examined('ready-account', { ...plain, alerts: { topicArn } });
    expect(of(findings, 'doubtful')).toEqual(['Alerts: nobody hears of the alarms of its site']);
  });

  it('finds an account that is ready to be so, and says what it has looked at', async () => {
    const findings = await examined('ready-account');
    expect(summaryOf(findings)).toBe('All is well.');
    expect(new Set(findings.map(({ title }) => title)).size).toBe(checksBefore.length);
    expect(findings.flatMap(linesOf).join('\n')).toMatch(/account 123456789012; the region is eu-central-1/);
  });

  it('finds that the defaults fit into a new account, and what it has to wait for', async () => {
    const findings = await examined('new-account');
    expect(of(findings, 'failing')).toEqual([
      expect.stringMatching(/^Services: Amazon Transcribe: The account may not use the service yet/),
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Bootstrap: eu-central-1 is not bootstrapped for the CDK yet',
      'Bootstrap: us-east-1 is not bootstrapped for the CDK yet',
      expect.stringMatching(/^Lambda: 10 functions at once, as in a new account/),
    ]);
    expect(of(findings, 'well')).toContain(
      'Lambda: functions take 3,008 MB at most, which every account gives',
    );
  });

  it.each(['no-credentials', 'expired-credentials'])(
    'asks nothing else without credentials: %s',
    async (situation) => {
      const findings = await examined(situation);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ level: 'failing', cure: expect.stringContaining('Sign in again') });
    },
  );

  it('refuses the credentials of another account than the file names', async () => {
    const [finding, ...others] = await examined('ready-account', { ...plain, account: '999999999999' });
    expect(others).toEqual([]);
    expect(linesOf(finding!)).toEqual([
      '✗ Credentials: these are of the account 123456789012; environments/dev.ts names 999999999999',
      '  → Use credentials of that account: set AWS_PROFILE, or sign in again.',
    ]);
  });

  it('tells a bootstrap that is too old from one that is broken', async () => {
    const findings = await examined('old-bootstrap');
    expect(of(findings, 'doubtful')).toEqual(['Bootstrap: version 4 in eu-central-1; version 6 is needed']);
    expect(of(findings, 'failing')).toEqual([
      'Bootstrap: the stack CDKToolkit in us-east-1 is ROLLBACK_COMPLETE',
    ]);
  });

  it('refuses settings that count on more than the account gives', async () => {
    const findings = await examined('new-account', {
      ...plain,
      quotas: { lambdaMemory: 10_240, lambdaConcurrency: 1000 },
    });
    expect(of(findings, 'failing')).toContain(
      'Lambda: the account runs 10 functions at once; environments/dev.ts counts on 1000',
    );
    expect(of(findings, 'doubtful')).toContainEqual(
      expect.stringMatching(/^Lambda: environments\/dev.ts counts on 10,240 MB; new accounts give 3,008/),
    );
  });

  it('says of the services that engines ask what the account has, and where the file may count on more', async () => {
    const findings = await examined('ready-account');
    expect(of(findings, 'well')).toContainEqual(
      expect.stringMatching(
        /^Providers: 250 jobs of Amazon Transcribe at once, 5 pictures .*, 100 .* faces \(quotas.rekognitionFacesPerSecond in environments\/dev.ts may be raised/,
      ),
    );
  });

  it('refuses quotas of services that the account does not have, and asks for none that no engine uses', async () => {
    const quotas = { transcribeJobs: 1000, rekognitionTextPerSecond: 50 };
    const engineOverrides = { ocr: 'tesseract' };
    const findings = await examined('new-account', { ...plain, quotas, engineOverrides });
    const [finding, ...others] = findings.filter(({ title }) => title === 'Providers');
    expect(others).toEqual([]);
    expect(linesOf(finding!)).toEqual([
      '✗ Providers: the account has 250 jobs of Amazon Transcribe at once; environments/dev.ts counts on 1000',
      expect.stringMatching(
        /Set quotas.transcribeJobs in environments\/dev.ts to 250\. Ask for more: https:.*\/transcribe\/quotas\/L-6F7AB1C9/,
      ),
    ]);
  });

  it('names quotas that others have used up', async () => {
    const findings = await examined('full-account');
    expect(of(findings, 'failing')).toEqual([
      'Lambda: 200 MB are left for the code of functions in eu-central-1',
      expect.stringMatching(/^Quotas: \d+ routes of an HTTP API are needed, 100 are given$/),
      'Providers: the account has 100 jobs of Amazon Transcribe at once; environments/dev.ts counts on 250',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Lambda: 8 of 1000 runs at once are not reserved for others; environments/dev.ts counts on 10',
      expect.stringMatching(/^Quotas: \d+ of 150 roles of an account are needed$/),
    ]);
  });

  it('finds that CodeBuild lets the account build nothing, and says of codes that AWS does not know where to look', async () => {
    const findings = await examined('account-without-trust');
    expect(of(findings, 'failing')).toEqual([
      'Quotas: 1 builds of CodeBuild at once (ARM/Small) are needed, 0 are given',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Quotas: Service Quotas has no L-7D134442 of cloudfront in us-east-1 (cache policies of CloudFront); 1 are needed',
      expect.stringMatching(
        /^Providers: Service Quotas has no L-87CF5BA6 of rekognition .*dev\.ts counts on 5$/,
      ),
    ]);
    const [unknown] = findings.filter(({ level, title }) => level === 'doubtful' && title === 'Quotas');
    expect(linesOf(unknown!).join(' ')).toMatch(/us-east-1\.console.*\/services\/cloudfront\/quotas$/);
  });

  it('finds what a region does not have, and what the credentials may not do', async () => {
    const findings = await examined('region-without-services', { ...plain, region: 'eu-south-1' });
    expect(of(findings, 'doubtful')).toEqual([
      expect.stringContaining("CodeBuild's reference does not name eu-south-1"),
    ]);
    expect(of(findings, 'failing')).toEqual([
      expect.stringMatching(
        /^Services: Amazon Translate: The credentials may not do this: .*translate:ListLanguages/,
      ),
      expect.stringMatching(/^Services: Amazon Rekognition: The service has no address here/),
    ]);
  });

  it('asks a model of Bedrock only where the settings name one, and says where access is asked for', async () => {
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

  it('finds certificates that are issued for all names', async () => {
    const findings = await examined('issued-certificates', withDomains);
    expect(of(findings, 'well')).toEqual(
      expect.arrayContaining([
        'Certificates: api.domain: issued for api.kinora.example',
        'Certificates: site.domain: issued for kinora.example, www.kinora.example',
      ]),
    );
  });

  it.each([
    ['pending-certificate', /waits for the proof/, /_3639\w+\.kinora\.example\. CNAME _bc3e8aa1d2b7a5f4/],
    [
      'certificate-for-other-names',
      /is for other.example.*, not for api.kinora.example/,
      /Request one in eu-central-1/,
    ],
    ['certificate-for-other-names', /not for www.kinora.example/, /Request one in us-east-1/],
    ['missing-certificate', /there is no certificate/, /Request one in eu-central-1/],
  ])('finds a certificate that will not do, with its cure: %s', async (situation, says, cure) => {
    const findings = await examined(situation, withDomains);
    expect(findings).toContainEqual({
      title: 'Certificates',
      level: 'failing',
      says: expect.stringMatching(says),
      cure: expect.stringMatching(cure),
    });
  });

  it('refuses a certificate of the wrong region before AWS is asked', () => {
    const settings = {
      ...withDomains,
      site: { domain: { name: 'kinora.example', certificateArn: certificate('eu-central-1') } },
    };
    expect(() => environmentOf('dev', settings)).toThrow(/environments\/dev\.ts:\n.*us-east-1/);
  });

  /** The domains with a zone for the API's, and one for the site's. */
  const withZones = (api: string, site?: string): EnvironmentSettings => ({
    ...withDomains,
    api: { domain: { ...withDomains.api!.domain!, hostedZoneId: api } },
    site: { domain: { ...withDomains.site!.domain!, ...(site && { hostedZoneId: site }) } },
  });

  it('finds the hosted zones that get the records, and asks for none that no file names', async () => {
    const findings = await examined('hosted-zones', withZones('Z0OWN', 'Z0OWN'));
    expect(of(findings, 'well')).toEqual(
      expect.arrayContaining([
        'Hosted zones: api.domain: the hosted zone of kinora.example takes the records of api.kinora.example',
        'Hosted zones: site.domain: the hosted zone of kinora.example takes the records of kinora.example, www.kinora.example',
      ]),
    );
    const without = await examined('issued-certificates', withDomains);
    expect(of(without, 'well')).toContain('Hosted zones: none named: no records are made in Route 53');
  });

  it.each([
    [
      'Z0GONE',
      /^api.domain: there is no hosted zone Z0GONE in this account/,
      /api.domain.hostedZoneId in env/,
    ],
    ['Z0INSIDE', /^api.domain: .*private/, /public zone of api.kinora.example/],
    // Its name is the end of the domain's, but not one of its labels.
    ['Z0OTHER', /^api.domain: .* of nora.example, not of api.kinora.example/, /leave it out/],
    ['Z0SECRET', /^The credentials may not do this: .*route53:GetHostedZone/, /AdministratorAccess/],
  ])('finds a hosted zone that will not do, with its cure: %s', async (zone, says, cure) => {
    const findings = await examined('hosted-zones', withZones(zone));
    expect(findings.filter(({ title }) => title === 'Hosted zones')).toEqual([
      {
        ...{ title: 'Hosted zones', level: 'failing' },
        ...{ says: expect.stringMatching(says), cure: expect.stringMatching(cure) },
      },
    ]);
  });

  it('finds stacks over which nothing can be deployed, those of other environments left out', async () => {
    const findings = await examined('stuck-stacks');
    expect(of(findings, 'failing')).toEqual([
      'Stacks: Kinora-dev-Jobs is UPDATE_ROLLBACK_FAILED',
      'Stacks: Kinora-dev-Data is UPDATE_IN_PROGRESS: somebody deploys it',
    ]);
    expect(of(findings, 'doubtful')).toEqual([
      'Stacks: Kinora-dev-Api is ROLLBACK_COMPLETE: its first deployment failed',
    ]);
  });
});
