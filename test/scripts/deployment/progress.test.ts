import { describe, expect, it } from 'vitest';
import { Board, type Screen } from '../../../scripts/deployment/board.ts';
import { advanced, lineOf, type StackEvent, waiting } from '../../../scripts/deployment/progress.ts';
import { cureOf } from '../../../scripts/deployment/reasons.ts';

const StackId = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/Kinora-dev-Jobs/1';
const ofStack = (ResourceStatus: string): StackEvent => ({
  StackId,
  PhysicalResourceId: StackId,
  LogicalResourceId: 'Kinora-dev-Jobs',
  ResourceType: 'AWS::CloudFormation::Stack',
  ResourceStatus,
});
const of = (id: string, ResourceStatus: string, reason?: string): StackEvent => ({
  StackId,
  LogicalResourceId: id,
  PhysicalResourceId: '',
  ResourceType: 'AWS::Lambda::Function',
  ResourceStatus,
  ...(reason !== undefined && { ResourceStatusReason: reason }),
});
const tooMuch = `Resource handler returned message: "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008 (Service: Lambda, Status Code: 400)"`;

const created = [
  ofStack('REVIEW_IN_PROGRESS'),
  ofStack('CREATE_IN_PROGRESS'),
  of('ProbeMedia', 'CREATE_IN_PROGRESS'),
  of('PrepareAudio', 'CREATE_IN_PROGRESS'),
  of('ProbeMedia', 'CREATE_IN_PROGRESS', 'Resource creation Initiated'),
  of('ProbeMedia', 'CREATE_COMPLETE'),
];
const failed = [
  ...created,
  of('PrepareAudio', 'CREATE_FAILED', tooMuch),
  of('MergePictures', 'CREATE_FAILED', 'Resource creation cancelled'),
  ofStack('ROLLBACK_IN_PROGRESS'),
  of('ProbeMedia', 'DELETE_COMPLETE'),
  ofStack('ROLLBACK_COMPLETE'),
];
const progressAfter = (events: readonly StackEvent[], total: number | null = 4) =>
  events.reduce(advanced, waiting('Jobs', total));
const bar = (share: number) => `[${share}]`;

describe('the progress of a stack', () => {
  it('counts what is done of all that is to be made, and names what it waits for', () => {
    expect(lineOf(progressAfter([]), bar)).toBe('Jobs        [0]  waits');
    expect(lineOf(progressAfter(created), bar)).toBe('Jobs        [0.25]  1 of 4, PrepareAudio');
    expect(lineOf(progressAfter([...created, ofStack('CREATE_COMPLETE')]), bar)).toBe(
      'Jobs        [1]  1 of 4, done',
    );
  });

  it('counts changes where only CloudFormation knows how many there will be', () => {
    expect(lineOf(progressAfter(created, null), bar)).toBe('Jobs        [0]  1 changed, PrepareAudio');
  });

  it('keeps what failed, without what was given up because of it', () => {
    const { state, failures } = progressAfter(failed);
    expect(state).toBe('failed');
    expect(failures).toEqual([
      { stack: 'Jobs', resource: 'PrepareAudio', type: 'AWS::Lambda::Function', reason: tooMuch },
    ]);
  });
});

describe('what a long command shows', () => {
  const shownBy = (isTerminal: boolean) => {
    let text = '';
    const screen: Screen = { isTerminal, write: (more) => (text += more) };
    const board = new Board('dev', screen, () => 0);
    for (const at of failed.keys()) board.show([progressAfter(failed.slice(0, at + 1))]);
    return text;
  };

  it('names each failure once, with its cure', () => {
    for (const text of [shownBy(true), shownBy(false)]) {
      expect(text.match(/✗/g)).toHaveLength(1);
      expect(text).toMatch(
        /✗ Jobs: PrepareAudio .*3008.*\n {2}→ .*quotas\.lambdaMemory in environments\/dev\.ts/,
      );
    }
  });

  it('draws in place on a terminal, and writes a line a change elsewhere', () => {
    expect(shownBy(true)).toContain('\x1b[1A\x1b[0J');
    expect(shownBy(false)).not.toContain('\x1b');
    expect(
      shownBy(false)
        .split('\n')
        .filter((line) => line.startsWith('Jobs')),
    ).toHaveLength(3);
  });
});

describe('the reason of a failure', () => {
  it.each([
    [tooMuch, /quotas\.lambdaMemory/],
    [
      "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [100].",
      /quotas\.lambdaConcurrency/,
    ],
    ['Rate exceeded (Service: AmazonApiGatewayV2, Status Code: 429)', /run the command again/],
    [
      'Unable to complete operation due to concurrent modification. Please try again later. (Service: ApiGatewayV2, ConflictException)',
      /run the command again/,
    ],
    [
      'One or more of the CNAMEs you provided are already associated with a different resource. CNAMEAlreadyExists',
      /take it off there/,
    ],
    ['/kinora/dev/Assets already exists in stack', /npm run destroy -- dev/],
    [
      'User: arn:aws:sts::1:assumed-role/cdk is not authorized to perform: lambda:CreateFunction with an explicit deny',
      /bootstrap again/,
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
    ['User not enabled for cost explorer access (Service: CostExplorer)', /leave costAnomalies out/],
    ['Something that nobody has seen before', /console shows it at the stack/],
  ])('has a cure: %s', (reason, cure) => {
    expect(cureOf(reason, 'dev')).toMatch(cure);
  });
});
