import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { environmentOf } from '../../../lib/environments.ts';
import { deploy } from '../../../scripts/deploy/environment.ts';
import { pinnedCdk } from '../../../scripts/deployment/cdk.ts';
import { awsIn } from '../../../scripts/deployment/clients.ts';
import type { StackProgress } from '../../../scripts/deployment/progress.ts';
import { targetOf } from '../../../scripts/deployment/target.ts';
import { FakeAws } from './fake-aws.ts';

const target = targetOf(environmentOf('dev', { region: 'eu-central-1' }));
const regions = target.regions.map(awsIn);

let aws: FakeAws;
let home: string;
let shown: StackProgress[];

/** Stands in for the CDK's command line: notes how it is called, and writes what it would write. */
const program = () => join(home, 'cdk');
const folder = () => join(home, 'dev');
const calls = () => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n');

function cdk(deploying: string): void {
  writeFileSync(
    program(),
    `#!/bin/sh
echo "$AWS_REGION $@" >> ${home}/calls
case $1 in
  synth) mkdir -p ${folder()}/assembly && cp ${home}/*.json ${folder()}/assembly ;;
  deploy) ${deploying} ;;
esac
`,
  );
  chmodSync(program(), 0o755);
}

const deployed = () =>
  deploy(target, regions, {
    program: program(),
    folder: folder(),
    account: '123456789012',
    everyMs: 5,
    line: () => {},
    show: (all) => shown.push(...all),
  });

const stack = (name: string, region: string) => ({
  type: 'aws:cloudformation:stack',
  environment: `aws://unknown-account/${region}`,
  properties: { templateFile: `${name}.json`, stackName: name },
});

beforeEach(() => {
  aws = new FakeAws();
  home = mkdtempSync(join(tmpdir(), 'kinora-deploy-'));
  shown = [];
  const artifacts = {
    'Kinora-dev-Data.assets': { type: 'cdk:asset-manifest' },
    'Kinora-dev-Data': stack('Kinora-dev-Data', 'eu-central-1'),
    'Kinora-dev-SiteWatch-eu-central-1': stack('Kinora-dev-SiteWatch-eu-central-1', 'us-east-1'),
  };
  writeFileSync(join(home, 'manifest.json'), JSON.stringify({ artifacts }));
  for (const name of ['Kinora-dev-Data', 'Kinora-dev-SiteWatch-eu-central-1'])
    writeFileSync(join(home, `${name}.json`), JSON.stringify({ Resources: { Core: {}, Auth: {} } }));
  cdk(
    `sleep 0.2; echo '{"Kinora-dev-Data":{"AuthTable":"auth-1"},"Kinora-dev-Api":{"ApiUrl":"https://api"}}' > ${folder()}/outputs.json`,
  );
});

describe('npm run deploy', () => {
  it('uses the version of the CDK that package.json pins', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { version } = JSON.parse(readFileSync('node_modules/aws-cdk/package.json', 'utf8'));
    expect(devDependencies['aws-cdk']).toBe(version);
    expect(existsSync(pinnedCdk)).toBe(true);
  });

  it('bootstraps the regions that are not, synthesizes, and deploys all stacks at once', async () => {
    aws.add('CDKToolkit', 'eu-central-1', [], { outputs: { BootstrapVersion: '30' } });
    const outputs = await deployed();
    expect(calls()).toEqual([
      'eu-central-1 bootstrap aws://123456789012/us-east-1 --no-color',
      expect.stringMatching(/^eu-central-1 synth --quiet --output \S+assembly --context env=dev/),
      expect.stringMatching(/^eu-central-1 deploy --all --force --app \S+assembly --require-approval never/),
    ]);
    expect(outputs).toEqual({ AuthTable: 'auth-1', ApiUrl: 'https://api' });
  });

  it('shows each stack as its events come, new ones against all of their resources', async () => {
    for (const region of target.regions)
      aws.add('CDKToolkit', region, [], { outputs: { BootstrapVersion: '30' } });
    const data = aws.add('Kinora-dev-Data', 'eu-central-1', [], { status: 'UPDATE_COMPLETE' });
    aws.event(data, 'CREATE_COMPLETE', { id: 'Old', type: 'AWS::DynamoDB::Table', name: 'old' });
    const work = deployed();
    await expect.poll(() => shown.length).toBeGreaterThan(0);
    aws.event(data, 'UPDATE_IN_PROGRESS');
    for (const id of ['Core', 'Auth', 'Ephemeral'])
      aws.event(data, 'UPDATE_COMPLETE', { id, type: 'AWS::DynamoDB::Table', name: id });
    aws.event(data, 'UPDATE_COMPLETE');
    await work;
    expect(shown.findLast(({ stack: part }) => part === 'Data')).toMatchObject({
      state: 'done',
      total: null,
      settled: new Set(['Core', 'Auth', 'Ephemeral']),
    });
    expect(shown.findLast(({ stack: part }) => part === 'SiteWatch')).toMatchObject({
      state: 'waiting',
      total: 2,
    });
  });

  // As the CDK does: UpdateTerminationProtection before ExecuteChangeSet, DeleteStack of what is ROLLBACK_COMPLETE.
  it('lets the CDK make a protected stack anew whose first creation failed, and leaves all others protected', async () => {
    const failed = { status: 'ROLLBACK_COMPLETE', isProtected: true };
    aws.add('Kinora-dev-Data', 'eu-central-1', [], failed);
    aws.add('Kinora-dev-Jobs', 'eu-central-1', [], { status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true });
    await deployed();
    const isProtected = (name: string) => aws.stacks.find((stack) => stack.name === name)!.isProtected;
    expect(isProtected('Kinora-dev-Data')).toBe(false);
    expect(isProtected('Kinora-dev-Jobs')).toBe(true);
  });

  it('fails with the last words of the CDK, and says where all of them are', async () => {
    cdk('echo "Kinora-dev-Data failed: no room" >&2; exit 1');
    await expect(deployed()).rejects.toMatchObject({
      message: expect.stringContaining('Kinora-dev-Data failed: no room'),
      cure: expect.stringContaining('cdk.log'),
    });
    expect(readFileSync(join(folder(), 'cdk.log'), 'utf8')).toContain('no room');
  });
});
