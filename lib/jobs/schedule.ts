/**
 * Runs a function at fixed intervals: the schedule and its role. A failed run has no retry and no dead letter, because
 * the next run comes soon and finds the same work.
 */
import { Aws, Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import type { ScheduleSettings } from '../../platform/steps/define-step.ts';
import { stableId } from '../shared/logical-id.ts';

export function schedule(
  scope: Construct,
  { name, description }: ScheduleSettings,
  everyMinutes: number,
  run: LambdaFunction,
): void {
  // The Scheduler invokes asynchronously. Lambda would retry a failed run twice, at the same time as the next one.
  run.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  const made = new CfnSchedule(scope, `${name}Schedule`, {
    description,
    scheduleExpression: rateOf(everyMinutes),
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: run.functionArn,
      roleArn: roleOf(scope, `${name}ScheduleRole`, run).roleArn,
      retryPolicy: { maximumRetryAttempts: 0 },
    },
  });
  stableId(made, `${name}Schedule`);
}

function roleOf(scope: Construct, id: string, { functionArn }: LambdaFunction): Role {
  const invoking = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
  const role = new Role(scope, id, {
    // Scheduler User Guide, "Confused deputy prevention".
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    inlinePolicies: { Permissions: new PolicyDocument({ statements: [invoking] }) },
  });
  return stableId(role, id);
}

/** EventBridge Scheduler User Guide, "Rate-based schedules": the unit is singular for one. */
export const rateOf = (everyMinutes: number): string =>
  `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`;
