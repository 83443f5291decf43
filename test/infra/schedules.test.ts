import { beforeAll, describe, expect, it } from 'vitest';
import { rateOf, scheduleNames, schedules } from '../../lib/jobs/schedules.ts';
import { type Resource, synthesize, type Template } from './assembly.ts';

let jobs: Template;
const resource = (id: string): Resource => jobs.Resources[id]!;

beforeAll(() => {
  jobs = synthesize('dev').Jobs;
});

it('names the unit of a rate as EventBridge Scheduler has it', () => {
  expect(rateOf({ ...schedules.Sweep!, everyMinutes: 1 })).toBe('rate(1 minute)');
  expect(rateOf({ ...schedules.Sweep!, everyMinutes: 5 })).toBe('rate(5 minutes)');
});

describe.each(scheduleNames())('the schedule %s', (name) => {
  const settings = schedules[name]!;

  it('invokes its function at its rate, under a role that may do nothing else', () => {
    const { ScheduleExpression, FlexibleTimeWindow, Target } = resource(`${name}Schedule`).Properties;
    const arn = { 'Fn::GetAtt': [name, 'Arn'] };
    expect(ScheduleExpression).toBe(rateOf(settings));
    expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
    expect(Target).toMatchObject({ Arn: arn, RoleArn: { 'Fn::GetAtt': [`${name}ScheduleRole`, 'Arn'] } });
    const { Policies, ManagedPolicyArns } = resource(`${name}ScheduleRole`).Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies).toHaveLength(1);
    expect(Policies[0].PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn },
    ]);
  });

  it('can be used by this account only', () => {
    const [{ Condition }] = resource(`${name}ScheduleRole`).Properties.AssumeRolePolicyDocument.Statement;
    expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
  });

  it('never has two runs at once: a run ends before the next is due, and none is repeated', () => {
    expect(settings.timeout).toBeLessThan(settings.everyMinutes * 60);
    expect(resource(`${name}Schedule`).Properties.Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 0 });
    const configs = Object.values(jobs.Resources).filter(
      ({ Type, Properties }) =>
        Type === 'AWS::Lambda::EventInvokeConfig' && Properties.FunctionName.Ref === name,
    );
    expect(configs.map(({ Properties }) => Properties.MaximumRetryAttempts)).toEqual([0]);
  });

  it('rings when its function is not run any more, which publishes nothing', () => {
    expect(synthesize('dev').Ops.Resources[`${name}SilentAlarm`]!.Properties).toMatchObject({
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName' }],
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });
});

it('lets the sweep look at executions, start what a job needs and deliver events, and end nothing', () => {
  const statements: { Action: string | string[]; Resource: unknown }[] =
    resource('SweepRole').Properties.Policies[0].PolicyDocument.Statement;
  const onMachines = statements.filter(({ Action }) => String(Action).startsWith('states:'));
  expect(onMachines).toMatchObject([
    { Action: 'states:StartExecution' },
    { Action: 'states:DescribeExecution' },
  ]);
  const [started, watched] = onMachines.map(({ Resource }) => JSON.stringify(Resource));
  for (const machine of [
    'IngestMachine',
    'BrandingUploadMachine',
    'ClipsMachine',
    'ExportMachine',
    'TranslationMachine',
    'VoiceOverMachine',
    'DeleteAssetMachine',
  ]) {
    expect(started).toContain(machine);
    expect(watched).toContain(machine);
  }
  expect(started).toContain('DeliverEventMachine');
  expect(Object.keys(resource('Sweep').Properties.Environment.Variables)).toEqual(
    expect.arrayContaining([
      'DELIVER_EVENT_MACHINE_ARN',
      'INGEST_MACHINE_ARN',
      'BRANDING_UPLOAD_MACHINE_ARN',
    ]),
  );
});
