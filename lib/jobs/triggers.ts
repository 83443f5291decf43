/** Starts functions: at fixed intervals, and when executions of machines end. */
import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { ListenerSettings, ScheduleSettings } from '../../platform/steps/define-step.ts';
import { stableId } from '../shared/names.ts';
import { machineId } from './machine.ts';

/**
 * Runs the function at fixed intervals. A failed run has no retry and no dead-letter queue, because the next run comes soon and
 * finds the same work.
 */
export function schedule(
  scope: Construct,
  { name, description }: ScheduleSettings,
  everyMinutes: number,
  run: Lambda,
): void {
  // The Scheduler invokes asynchronously. With Lambda's two retries, a failed run could run at the same time as the next one.
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

function roleOf(scope: Construct, id: string, { functionArn }: Lambda): Role {
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

/** Returns a rate for the Scheduler. Its unit is singular for one minute (EventBridge Scheduler User Guide, "Rate-based schedules"). */
export const rateOf = (everyMinutes: number): string =>
  `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`;

/**
 * The final statuses of executions, by the rule that matches them. An execution that failed, timed out or was aborted cannot run
 * more steps, but its end lets another job start. Step Functions Developer Guide, "EventBridge (CloudWatch Events) for Step
 * Functions execution status changes".
 */
export const ends = {
  /** The execution succeeded, or an operator stopped it. The execution of a canceled job also succeeds. */
  Rule: ['SUCCEEDED', 'ABORTED'],
  /** The execution failed or timed out. An alarm of `lib/ops/alarms.ts` counts the matches of this rule. */
  FailedRule: ['FAILED', 'TIMED_OUT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The maximum age of a delivered event. After an hour, the sweep has done the work of the event. */
const WORTH_DELIVERING = Duration.hours(1);

export function deadLetters(scope: Construct, name: string): Queue {
  const queue = new Queue(scope, `${name}DeadLetters`, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is a queue of dead letters itself: people read it, and nothing else that could fail.',
  });
  return stableId(queue, `${name}DeadLetters`);
}

/** Lets the function write to its dead-letter queue. Lambda sends failed events with the role of the function. */
export const leavingLetters = (queue: Queue): PolicyStatement =>
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });

/**
 * Runs the function when executions of machines end. EventBridge may lose events ("Delivery type: Best effort", AWS Step Functions
 * events). The sweep does the work of lost events within two minutes.
 */
export function listener(
  scope: Construct,
  { name, description, hears }: ListenerSettings,
  run: Lambda,
  queue: Queue,
): Record<keyof typeof ends, Rule> {
  run.configureAsyncInvoke({
    retryAttempts: 2,
    maxEventAge: WORTH_DELIVERING,
    onFailure: { bind: () => ({ destination: queue.queueArn }) },
  });
  const target = new LambdaFunction(run, {
    deadLetterQueue: queue,
    retryAttempts: 5,
    maxEventAge: WORTH_DELIVERING,
  });
  const rules = Object.entries(ends).map(([suffix, status]) => {
    const rule = new Rule(scope, `${name}${suffix}`, {
      description,
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: [...status], stateMachineArn: hears.map((machine) => Fn.ref(machineId(machine))) },
      },
      targets: [target],
    });
    return [suffix, stableId(rule, `${name}${suffix}`)] as const;
  });
  return Object.fromEntries(rules) as Record<keyof typeof ends, Rule>;
}
