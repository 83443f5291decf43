/** Alarms. The text of an alarm links to the heading of docs/runbooks.md that says what to do. */
import { Aws, type Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Alerts, Environment } from '../environments.ts';
import { stableId } from './names.ts';

export interface AlarmSpec {
  /** The logical id, unique among all stacks of an environment. The name of the alarm is `kinora-<env>-<id>`. */
  readonly id: string;
  readonly title: string;
  /** The anchor of a heading in docs/runbooks.md. */
  readonly runbook: string;
  /** The metric. Its period is also the period of the alarm. */
  readonly metric: IMetric;
  /** The alarm starts if the value is at least this, in the unit of the metric. */
  readonly threshold: number;
  /** Set if the alarm starts below the threshold, or if there is no data. Used for work that must not stop. */
  readonly below?: true;
  /** The number of periods in a row before the alarm starts. Default: 1. */
  readonly periods?: number;
}

/**
 * An alarm of Kinora. It treats missing data as good, because a metric without events has no data. Its name is fixed, so that the
 * dashboard can compute the ARN of an alarm in another region.
 */
export class KinoraAlarm extends Alarm {
  readonly fixedName: string;
  readonly runbook: string;

  constructor(scope: Construct, environment: Environment, topic: ITopic, spec: AlarmSpec) {
    const fixedName = `kinora-${environment.name}-${spec.id}`;
    super(scope, spec.id, {
      alarmName: fixedName,
      alarmDescription: `${spec.title}. What to do: docs/runbooks.md#${spec.runbook}`,
      metric: spec.metric,
      threshold: spec.threshold,
      evaluationPeriods: spec.periods ?? 1,
      comparisonOperator: spec.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: spec.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    this.fixedName = fixedName;
    this.runbook = spec.runbook;
    this.addAlarmAction(new SnsAction(topic));
    this.addOkAction(new SnsAction(topic));
    stableId(this, spec.id);
  }
}

/** The AWS services that send messages about costs (AWS Cost Management User Guide, "Creating an Amazon SNS topic"). */
const tellers = ['budgets.amazonaws.com', 'costalerts.amazonaws.com'];

/** @param ownArn the ARN of your own topic, which is used unchanged */
export function alertsTopic(stack: Stack, ownArn: string | undefined, { email }: Alerts = {}): ITopic {
  if (ownArn !== undefined) return Topic.fromTopicArn(stack, 'Alerts', ownArn);
  const topic = stableId(new Topic(stack, 'Alerts', { displayName: 'Kinora', enforceSSL: true }), 'Alerts');
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [...tellers, 'cloudwatch.amazonaws.com'].map((name) => new ServicePrincipal(name)),
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
  Validations.of(topic).acknowledge({
    id: 'AwsSolutions-SNS2',
    reason: 'Messages name an alarm and its threshold; a key that CloudWatch may use costs a dollar a month.',
  });
  return topic;
}
