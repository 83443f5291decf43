import { beforeAll, describe, expect, it } from 'vitest';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import { AFTERWARDS_MS, KEY_LIVES_MS, LONGEST_RUN_MS, limitsMs } from '../../lambdas/canary/rules/stages.ts';
import { environmentOf } from '../../lib/environments.ts';
import { machineId } from '../../lib/jobs/machine.ts';
import { schedules } from '../../lib/jobs/steps.ts';
import { rateOf } from '../../lib/jobs/triggers.ts';
import { type Resource, shipped, synthesize, type Template } from './assembly.ts';
import { losing } from './standing-rules.ts';

let jobs: Template;
let ops: Template;
const resource = (id: string): Resource => (jobs.Resources[id] ?? ops.Resources[id])!;

/** Production has all schedules. Other environments may leave some out. */
const environment = environmentOf('prod', shipped.prod);
const minutesOf = (name: string) => schedules[name]!.everyMinutes ?? environment.canary!.everyMinutes;

beforeAll(() => {
  ({ Jobs: jobs, Ops: ops } = synthesize('prod'));
});

it('the unit of a rate is written as EventBridge Scheduler requires', () => {
  expect(rateOf(1)).toBe('rate(1 minute)');
  expect(rateOf(5)).toBe('rate(5 minutes)');
});

/** The value as another stack refers to it. */
function arnFromJobs(name: string) {
  const { Export } = Object.values(jobs.Outputs).find(
    ({ Value }) => JSON.stringify(Value) === JSON.stringify({ 'Fn::GetAtt': [name, 'Arn'] }),
  )!;
  return { 'Fn::ImportValue': Export?.Name };
}

describe.each(Object.keys(schedules))('the schedule %s', (name) => {
  const settings = schedules[name]!;

  it('invokes its function at its rate, with a role that allows nothing else', () => {
    const { ScheduleExpression, FlexibleTimeWindow, Target } = resource(`${name}Schedule`).Properties;
    const inItsStack = jobs.Resources[`${name}Schedule`] !== undefined;
    const arn = inItsStack ? { 'Fn::GetAtt': [name, 'Arn'] } : arnFromJobs(name);
    expect(ScheduleExpression).toBe(rateOf(minutesOf(name)));
    expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
    expect(Target).toMatchObject({ Arn: arn, RoleArn: { 'Fn::GetAtt': [`${name}ScheduleRole`, 'Arn'] } });
    const { Policies, ManagedPolicyArns } = resource(`${name}ScheduleRole`).Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies).toHaveLength(1);
    expect(Policies[0].PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn },
    ]);
  });

  it('can be used only by this account', () => {
    const [{ Condition }] = resource(`${name}ScheduleRole`).Properties.AssumeRolePolicyDocument.Statement;
    expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
  });

  it('never has two runs in parallel: a run ends before the next one starts, and none is repeated', () => {
    expect(settings.timeout).toBeLessThan(minutesOf(name) * 60);
    expect(resource(`${name}Schedule`).Properties.Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 0 });
    const configs = Object.values(jobs.Resources).filter(
      ({ Type, Properties }) =>
        Type === 'AWS::Lambda::EventInvokeConfig' && Properties.FunctionName.Ref === name,
    );
    expect(configs.map(({ Properties }) => Properties.MaximumRetryAttempts)).toEqual([0]);
  });

  it('has an alarm in case its function no longer runs', () => {
    const { Properties } = (ops.Resources[`${name}SilentAlarm`] ?? ops.Resources[`${name}Alarm`])!;
    expect(Properties).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });
});

it('the sweep may read executions, start those that jobs need and deliver events, but may not stop executions', () => {
  const statements: { Action: string | string[]; Resource: unknown }[] =
    resource('SweepRole').Properties.Policies[0].PolicyDocument.Statement;
  const onMachines = statements.filter(({ Action }) => String(Action).startsWith('states:'));
  expect(onMachines).toMatchObject([
    { Action: 'states:StartExecution' },
    { Action: 'states:DescribeExecution' },
  ]);
  const [started, watched] = onMachines.map(({ Resource }) => JSON.stringify(Resource));
  for (const name of [...jobMachines, 'DeleteAsset', 'DeliverEvent', 'EmptyCollection']) {
    const machine = machineId(name);
    expect(started).toContain(machine);
    expect(watched).toContain(machine);
  }
  expect(Object.keys(resource('Sweep').Properties.Environment.Variables)).toEqual(
    expect.arrayContaining([
      'DELIVER_EVENT_MACHINE_ARN',
      'INGEST_MACHINE_ARN',
      'BRANDING_UPLOAD_MACHINE_ARN',
    ]),
  );
});

describe('the canary', () => {
  it('runs only if the file of an environment says so, but its function always exists', () => {
    const dev = synthesize('dev');
    expect(dev.Jobs.Resources.Canary).toBeDefined();
    for (const id of ['CanarySchedule', 'CanaryScheduleRole', 'CanaryAlarm']) {
      expect(dev.Ops.Resources[id], id).toBeUndefined();
      expect(ops.Resources[id], id).toBeDefined();
    }
  });

  it('has an alarm that starts after two failed runs in a row, not after one', () => {
    /** The rarest runs that a file of an environment can have. */
    const everyMinutes = 360;
    const { Ops } = synthesize('prod', { canary: { everyMinutes } });
    const { MetricName, Namespace, Period, EvaluationPeriods, Dimensions } =
      Ops.Resources.CanaryAlarm!.Properties;
    expect({ MetricName, Namespace, Dimensions }).toEqual({
      MetricName: 'CanarySucceeded',
      Namespace: 'Kinora/prod',
    });
    const longest = schedules.Canary!.timeout;
    expect(Period * EvaluationPeriods).toBeGreaterThanOrEqual(2 * everyMinutes * 60 + longest);
    expect(Period * EvaluationPeriods).toBeLessThan(3 * everyMinutes * 60);
    // An alarm with such periods cannot look back further.
    expect(Period * EvaluationPeriods).toBeLessThanOrEqual(86_400);
  });

  it('is not repeated if a run was lost, because no work is lost and the alarm reports it', () => {
    const alarms = Object.keys(ops.Resources);
    expect([jobs, ops].flatMap((template) => losing(template, alarms))).toEqual([]);
    expect(losing(ops)).toEqual([expect.stringContaining('CanarySchedule')]);
  });

  it('calls the API at its public address, and may only create and remove keys', () => {
    const { Variables } = resource('Canary').Properties.Environment;
    expect(Variables.API_URL).toEqual(
      synthesize('prod').Api.Resources.Assets!.Properties.Environment.Variables.API_URL,
    );
    const { Policies, ManagedPolicyArns } = resource('CanaryRole').Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const statements: { Action: string | string[]; Resource: unknown; Condition?: unknown }[] =
      Policies[0].PolicyDocument.Statement;
    const services = statements.flatMap(({ Action }) =>
      [Action].flat().map((action) => action.split(':')[0]),
    );
    expect(new Set(services)).toEqual(new Set(['logs', 'xray', 'dynamodb', 'kms']));
    const onTables = statements.filter(({ Action }) => String(Action).includes('dynamodb:'));
    expect(onTables).toHaveLength(1);
    expect(JSON.stringify(onTables[0]!.Resource)).toContain('GetAttAuth');
  });

  it('stops its stages before its function times out, so that a running stage is not reported as a crash', () => {
    const all = Object.values(limitsMs).reduce((sum, limit) => sum + limit, 0);
    // The canary creates an API key and removes it.
    expect(all + limitsMs.Key + AFTERWARDS_MS).toBeLessThan(schedules.Canary!.timeout * 1000);
    expect(LONGEST_RUN_MS).toBe(schedules.Canary!.timeout * 1000);
    expect(KEY_LIVES_MS).toBeGreaterThan(LONGEST_RUN_MS);
  });
});
