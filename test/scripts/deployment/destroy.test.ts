import { beforeEach, describe, expect, it } from 'vitest';
import { environmentOf } from '../../../lib/environments.ts';
import { awsIn } from '../../../scripts/deployment/clients.ts';
import { targetOf } from '../../../scripts/deployment/targets.ts';
import { destroy } from '../../../scripts/destroy/destroy-environment.ts';
import { isNothing, reportOf } from '../../../scripts/destroy/remains.ts';
import { FakeAws } from './fake-aws.ts';

const target = targetOf(environmentOf('dev', { region: 'eu-central-1' }));
const regions = target.regions.map(awsIn);
const key = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

let aws: FakeAws;
let lines: string[];

const destroyed = (of = target, patienceMs = 10_000) =>
  destroy(of, regions, {
    everyMs: 1,
    patienceMs,
    line: (text) => lines.push(text),
  });

beforeEach(() => {
  aws = new FakeAws();
  lines = [];
  const bucket = (id: string, name: string, isRetained = false) => ({
    id,
    type: 'AWS::S3::Bucket',
    name,
    isRetained,
  });
  const table = (name: string) => ({ id: 'Core', type: 'AWS::DynamoDB::Table', name });
  aws.add('Kinora-dev-Data', 'eu-central-1', [
    bucket('Media', 'kinora-dev-data-media-1'),
    bucket('AccessLogs', 'kinora-dev-data-accesslogs-1'),
    table('Kinora-dev-Data-Core-1'),
  ]);
  aws.add('Kinora-dev-Jobs', 'eu-central-1', [
    { id: 'Ingest', type: 'AWS::StepFunctions::StateMachine', name: 'm' },
  ]);
  aws.add('Kinora-dev-Ops', 'eu-central-1', []);
  aws.add('Kinora-dev-Site', 'eu-central-1', [bucket('SiteLogs', 'kinora-dev-site-sitelogs-1', true)]);
  aws.add('Kinora-dev-Api', 'eu-central-1', []);
  aws.add('Kinora-dev-SiteWatch-eu-central-1', 'us-east-1', []);
  aws.buckets.set('kinora-dev-data-media-1', { versions: 2345, uploads: 3 });
  aws.buckets.set('kinora-dev-data-accesslogs-1', { versions: 1, uploads: 0, late: 1 });
  aws.buckets.set('kinora-dev-site-sitelogs-1', { versions: 7, uploads: 0 });
  aws.logGroups.push({ region: 'eu-central-1', name: '/aws/lambda/Kinora-dev-Jobs-DeployTimeBuild-1' });
  aws.tagged.push({ region: 'eu-central-1', arn: key });
});

describe('npm run destroy', () => {
  it('deletes stacks before the stacks that they use, then the resources that they retain', async () => {
    const remains = await destroyed();
    expect(aws.deleted).toEqual([
      'Kinora-dev-Ops',
      'Kinora-dev-SiteWatch-eu-central-1',
      'Kinora-dev-Api',
      'Kinora-dev-Site',
      'Kinora-dev-Jobs',
      'Kinora-dev-Data',
      'kinora-dev-site-sitelogs-1',
      '/aws/lambda/Kinora-dev-Jobs-DeployTimeBuild-1',
    ]);
    expect(isNothing(remains)).toBe(true);
  });

  it('empties buckets, again if logs arrive meanwhile, and shows how many resources of a stack are left', async () => {
    await destroyed();
    expect(lines).toContain('  Data: bucket Media emptied: 2345 versions, 3 unfinished uploads');
    expect(lines).toContain('  Data: bucket AccessLogs emptied: 1 versions');
    expect(lines.filter((line) => line.includes('AccessLogs'))).toHaveLength(2);
    expect(aws.buckets.size).toBe(0);
    expect(lines).toContain('  Jobs: 1 resources left');
  });

  it('fails with the reason if a stack cannot be deleted', async () => {
    aws.buckets.get('kinora-dev-data-accesslogs-1')!.late = 9;
    await expect(destroyed()).rejects.toThrow(
      'Kinora-dev-Data is not deleted: AccessLogs: The bucket you tried to delete is not empty',
    );
  });

  it('reports that nothing is left, and which keys KMS deletes later', async () => {
    const report = reportOf(await destroyed(), 'dev');
    expect(report).toEqual([
      '✓ No stacks',
      '✓ No tables',
      '✓ No functions',
      '✓ No log groups',
      '✓ No resources with its tags',
      expect.stringMatching(/^ {2}1234abcd\S+: KMS deletes this key on 2026-12-22/),
    ]);
  });

  it('waits while AWS still lists deleted resources by their tags', async () => {
    aws.tagsLinger = 2;
    expect(isNothing(await destroyed())).toBe(true);
    expect(lines).toContainEqual(expect.stringContaining('still listed by their tags'));
  });

  it('names the remaining resources and how to delete them', async () => {
    const arn = 'arn:aws:sns:eu-central-1:123456789012:made-by-hand';
    aws.tagged.push({ region: 'eu-central-1', arn });
    aws.tables.push('Kinora-dev-Data-Core-1', 'Kinora-dev-eu-Data-Core-1');
    const remains = await destroyed(target, 30);
    expect(isNothing(remains)).toBe(false);
    const report = reportOf(remains, 'dev');
    expect(report).toEqual(
      expect.arrayContaining(['✗ 1 tables:', '    Kinora-dev-Data-Core-1', `    ${arn}`]),
    );
    expect(report.filter((line) => line.startsWith('✗'))).toHaveLength(
      report.filter((line) => line.startsWith('  →')).length,
    );
  });

  it('leaves other environments and regions alone', async () => {
    aws.add('Kinora-dev-eu-Data', 'eu-central-1', []);
    aws.add('Kinora-dev-Data', 'us-east-1', []);
    aws.add('Kinora-dev-SiteWatch-us-east-1', 'us-east-1', []);
    aws.tagged.push({
      region: 'us-east-1',
      arn: 'arn:aws:cloudfront::123456789012:distribution/EDFDVBD6EXAMPLE',
      stack: aws.idOf({ name: 'Kinora-dev-Site', region: 'us-east-1' }),
    });
    aws.logGroups.push({ region: 'us-east-1', name: '/kinora/dev/Assets' });
    expect(isNothing(await destroyed())).toBe(true);
    expect(aws.stacks.filter(({ status }) => status !== 'DELETE_COMPLETE')).toHaveLength(3);
    expect(aws.logGroups).toHaveLength(1);
  });

  it('deletes nothing if a stack is protected or the environment keeps its data', async () => {
    aws.stacks[0]!.isProtected = true;
    await expect(destroyed()).rejects.toMatchObject({ cure: expect.stringContaining('environments/dev.ts') });
    aws.stacks[0]!.isProtected = false;
    const kept = targetOf(environmentOf('dev', { region: 'eu-central-1', removal: 'retain' }));
    await expect(destroyed(kept)).rejects.toThrow('dev keeps its data');
    expect(aws.deleted).toEqual([]);
  });

  it('continues after an interrupted run', async () => {
    aws.stacks.splice(0);
    expect(isNothing(await destroyed())).toBe(true);
    expect(aws.deleted).toContain('kinora-dev-site-sitelogs-1');
  });
});
