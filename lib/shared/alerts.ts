/** The topic that alarms notify, and its subscribers. */
import { Aws, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Alerts } from '../environments.ts';
import { stableId } from './logical-id.ts';

/** Services besides CloudWatch that report costs (AWS Cost Management User Guide, "Creating an Amazon SNS topic"). */
const tellers = ['budgets.amazonaws.com', 'costalerts.amazonaws.com'];

/** @param ownArn your own topic, which is used as it is */
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
