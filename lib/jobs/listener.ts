/**
 * Runs a function when executions of machines end: the rules, and a dead-letter queue. EventBridge may lose events
 * ("Delivery type: Best effort", AWS Step Functions events). The sweep handles lost ones within two minutes.
 */
import { Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { ListenerSettings } from '../../platform/steps/define-step.ts';
import { stableId } from '../shared/logical-id.ts';
import { machineId } from './machine-references.ts';

/**
 * The ends of executions, by the rule that matches them. An execution that fails, times out or is aborted cannot run a step of its own.
 * Each end makes room for another job. Step Functions Developer Guide, "EventBridge (CloudWatch Events) for Step Functions execution
 * status changes".
 */
export const ends = {
  /** The execution succeeded, as that of a canceled job does, or an operator stopped it. */
  Rule: ['SUCCEEDED', 'ABORTED'],
  /** The alarm watches this rule. */
  FailedRule: ['FAILED', 'TIMED_OUT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** After an hour the sweep has long done the work of an event. */
const WORTH_DELIVERING = Duration.hours(1);

/** The dead-letter queue of a listener. */
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

/** Lets the function write to its dead-letter queue: Lambda sends events that failed in the name of the function. */
export const leavingLetters = (queue: Queue): PolicyStatement =>
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });

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
