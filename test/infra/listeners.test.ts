import { beforeAll, describe, expect, it } from 'vitest';
import { machineId } from '../../lib/jobs/machine.ts';
import { listeners } from '../../lib/jobs/steps.ts';
import { ends } from '../../lib/jobs/triggers.ts';
import { ofType, type Resource, synthesize, type Template } from './assembly.ts';

let jobs: Template;
const resource = (id: string): Resource => jobs.Resources[id]!;

beforeAll(() => {
  jobs = synthesize('dev').Jobs;
});

describe.each(Object.keys(listeners))('the listener %s', (name) => {
  const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

  it('receives only the end of each execution of its machines, once', () => {
    const patterns = Object.keys(ends).map((suffix) => resource(`${name}${suffix}`).Properties.EventPattern);
    expect(patterns.flatMap(({ detail }) => detail.status).sort()).toEqual(
      ['ABORTED', 'FAILED', 'SUCCEEDED', 'TIMED_OUT'].sort(),
    );
    for (const pattern of patterns) {
      expect(pattern).toEqual({
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          status: expect.any(Array),
          stateMachineArn: listeners[name]!.hears.map((machine) => ({ Ref: machineId(machine) })),
        },
      });
    }
  });

  it('has an alarm for executions that failed or timed out, not for those that succeeded or were canceled', () => {
    const { MetricName, Dimensions } = synthesize('dev').Ops.Resources[`${name}Alarm`]!.Properties;
    expect(MetricName).toBe('TriggeredRules');
    expect(JSON.stringify(Dimensions)).toContain(`${name}FailedRule`);
    expect(resource(`${name}FailedRule`).Properties.EventPattern.detail.status).toEqual([
      'FAILED',
      'TIMED_OUT',
    ]);
  });

  it('can be invoked only by its rules', () => {
    const permissions = ofType(jobs, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => JSON.stringify(Properties.FunctionName) === JSON.stringify(arnOf(name)),
    );
    expect(permissions.map(([, { Properties }]) => [Properties.Principal, Properties.SourceArn])).toEqual(
      Object.keys(ends).map((suffix) => ['events.amazonaws.com', arnOf(`${name}${suffix}`)]),
    );
  });

  it('puts undelivered and failed events into an encrypted queue with an alarm', () => {
    const queue = arnOf(`${name}DeadLetters`);
    const [target] = resource(`${name}Rule`).Properties.Targets;
    expect(target).toMatchObject({ Arn: arnOf(name), DeadLetterConfig: { Arn: queue } });
    const [config] = ofType(jobs, 'AWS::Lambda::EventInvokeConfig').filter(
      ([, { Properties }]) => Properties.FunctionName.Ref === name,
    );
    expect(config![1].Properties).toMatchObject({
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: queue } },
    });
    expect(resource(`${name}DeadLetters`).Properties.SqsManagedSseEnabled).toBe(true);
    expect(synthesize('dev').Ops.Resources[`${name}DeadLettersAlarm`]!.Properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
    });
    const [{ PolicyDocument }] = resource(`${name}Role`).Properties.Policies;
    const sending = PolicyDocument.Statement.filter(({ Action }: { Action: string }) => /^sqs:/.test(Action));
    expect(sending).toEqual([{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue }]);
  });

  it('accepts in its queue only encrypted messages of its rules and its own role', () => {
    const [policy] = ofType(jobs, 'AWS::SQS::QueuePolicy').filter(([, { Properties }]) =>
      JSON.stringify(Properties.Queues).includes(`${name}DeadLetters`),
    );
    const statements = policy![1].Properties.PolicyDocument.Statement as { Effect: string }[];
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual(
      Object.keys(ends).map((suffix) =>
        expect.objectContaining({
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': arnOf(`${name}${suffix}`) } },
        }),
      ),
    );
  });
});
