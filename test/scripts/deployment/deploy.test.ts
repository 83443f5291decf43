import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { environmentOf } from '../../../lib/environments.ts';
import { deployEnvironment } from '../../../scripts/deploy/deploy-environment.ts';
import { awsIn } from '../../../scripts/deployment/clients.ts';
import { cureOf, pinnedCdk } from '../../../scripts/deployment/run-cdk.ts';
import { targetOf } from '../../../scripts/deployment/targets.ts';
import { FakeAws } from './fake-aws.ts';

const target = targetOf(environmentOf('dev', { region: 'eu-central-1' }));
const regions = target.regions.map(awsIn);

let aws: FakeAws;
let home: string;
let shown: string;

/** Replaces the CDK's command line: records its calls, and prints the same output. */
const program = () => join(home, 'cdk');
const folder = () => join(home, 'dev');
const calls = () => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n');

function cdk(deploying: string): void {
  writeFileSync(
    program(),
    `#!/bin/sh
echo "$AWS_REGION $@" >> ${home}/calls
case $1 in
  deploy) ${deploying} ;;
esac
`,
  );
  chmodSync(program(), 0o755);
}

const deployed = () =>
  deployEnvironment(target, regions, {
    program: program(),
    folder: folder(),
    account: '123456789012',
    show: (text) => {
      shown += text;
    },
  });

beforeEach(() => {
  aws = new FakeAws();
  home = mkdtempSync(join(tmpdir(), 'kinora-deploy-'));
  shown = '';
  cdk(
    `echo 'Kinora-dev-Data | 3/9 | CREATE_COMPLETE' >&2; echo '{"Kinora-dev-Data":{"AuthTable":"auth-1"},"Kinora-dev-Api":{"ApiUrl":"https://api"}}' > ${folder()}/outputs.json`,
  );
});

describe('npm run deploy', () => {
  it('uses the version of the CDK that package.json pins', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { version } = JSON.parse(readFileSync('node_modules/aws-cdk/package.json', 'utf8'));
    expect(devDependencies['aws-cdk']).toBe(version);
    expect(existsSync(pinnedCdk)).toBe(true);
  });

  it('bootstraps regions that need it, then deploys all stacks with one command', async () => {
    aws.add('CDKToolkit', 'eu-central-1', [], { outputs: { BootstrapVersion: '30' } });
    const outputs = await deployed();
    expect(calls()).toEqual([
      'eu-central-1 bootstrap aws://123456789012/us-east-1 --no-color',
      expect.stringMatching(
        /^eu-central-1 deploy --all --force --context env=dev --output \S+assembly --require-app/,
      ),
    ]);
    expect(outputs).toEqual({ AuthTable: 'auth-1', ApiUrl: 'https://api' });
  });

  it('shows the progress that the CDK reports', async () => {
    await deployed();
    expect(shown).toContain('Kinora-dev-Data | 3/9 | CREATE_COMPLETE');
  });

  // The CDK calls UpdateTerminationProtection before ExecuteChangeSet, and DeleteStack for a stack in
  // ROLLBACK_COMPLETE.
  it('removes the protection only of a stack whose first creation failed', async () => {
    const failed = { status: 'ROLLBACK_COMPLETE', isProtected: true };
    aws.add('Kinora-dev-Data', 'eu-central-1', [], failed);
    aws.add('Kinora-dev-Jobs', 'eu-central-1', [], { status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true });
    await deployed();
    const isProtected = (name: string) => aws.stacks.find((stack) => stack.name === name)!.isProtected;
    expect(isProtected('Kinora-dev-Data')).toBe(false);
    expect(isProtected('Kinora-dev-Jobs')).toBe(true);
  });

  it('fails with the last lines of the CDK, the fix if it is known, and the path of the log', async () => {
    cdk('echo "Core already exists in stack Kinora-dev-Data" >&2; exit 1');
    await expect(deployed()).rejects.toMatchObject({
      message: expect.stringContaining('Core already exists'),
      cure: expect.stringMatching(/Run npm run destroy -- dev.*cdk\.log/),
    });
    expect(readFileSync(join(folder(), 'cdk.log'), 'utf8')).toContain('already exists');
  });
});

describe('the advice for a failed deployment', () => {
  it.each([
    [
      "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008",
      /quotas\.lambdaMemory/,
    ],
    [
      "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [100].",
      /quotas\.lambdaConcurrency/,
    ],
    ['Rate exceeded (Service: AmazonApiGatewayV2, Status Code: 429)', /Run the command again/],
    [
      'Unable to complete operation due to concurrent modification. Please try again later. (Service: ApiGatewayV2, ConflictException)',
      /Run the command again/,
    ],
    [
      'One or more of the CNAMEs you provided are already associated with a different resource. CNAMEAlreadyExists',
      /Remove it there/,
    ],
    ['/kinora/dev/Assets already exists in stack', /Run npm run destroy -- dev/],
    [
      'User: arn:aws:sts::1:assumed-role/cdk is not authorized to perform: lambda:CreateFunction with an explicit deny',
      /Bootstrap again/,
    ],
    ['Cannot exceed quota for PoliciesPerRole: 10', /Service Quotas/],
    [
      'Access denied for operation "AWS::CloudFront::Distribution: Your account must be verified before you can add new CloudFront resources."',
      /AWS Support.*site\.elsewhere/,
    ],
    [
      'Received response status [FAILED] from custom resource. Message returned: Cannot have more than 0 builds in queue for the account',
      /ARM\/Small/,
    ],
    ['User not enabled for cost explorer access (Service: CostExplorer)', /Remove costAnomalies/],
  ])('names the fix for: %s', (reason, cure) => {
    expect(cureOf(reason, 'dev')).toMatch(cure);
  });

  it('is absent for an unknown reason', () => {
    expect(cureOf('An unknown reason', 'dev')).toBeNull();
  });
});
