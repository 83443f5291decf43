/** Notifies operators if the account costs too much: in a month, or in a day that differs from the days before. */
import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';

/** The percentage of the budget at which actual costs cause a notification. */
const SPENT = 80;
/** The percentage of the budget at which the forecast causes a notification. */
const FORECAST = 100;

/**
 * Watches the costs of the whole account. A budget with a filter by the tag `environment` would omit most costs: requests to Translate,
 * Polly, Rekognition and Comprehend have no resource that could have a tag (decision 78).
 */
export function watchCosts(stack: Stack, environment: Environment, topic: ITopic): void {
  const { monthlyBudget, costAnomalies } = environment;
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const budget = new CfnBudget(stack, 'Budget', {
    // The budget has no fixed name. CloudFormation replaces it after a change of subscribers, while the old budget still has its name.
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
    },
    notificationsWithSubscribers: [
      { notification: exceeding('ACTUAL', SPENT), subscribers },
      { notification: exceeding('FORECASTED', FORECAST), subscribers },
    ],
  });
  stableId(budget, 'Budget');
  if (costAnomalies) watchAnomalies(stack, environment.name, monthlyBudget, topic);
}

/**
 * Off by default. A person must first enable Cost Explorer, and only management accounts may have monitors of accounts. If a
 * requirement is missing, the whole stack of alarms fails. Every account may have a monitor of services, but only one.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html, …/getting-started-ad.html
 */
function watchAnomalies(stack: Stack, name: string, monthlyBudget: number, topic: ITopic): void {
  const monitor = new CfnAnomalyMonitor(stack, 'CostMonitor', {
    monitorName: `Kinora-${name}-${stack.region}`,
    monitorType: 'CUSTOM',
    monitorSpecification: stack.toJsonString({
      Dimensions: { Key: 'LINKED_ACCOUNT', Values: [stack.account] },
    }),
  });
  const subscription = new CfnAnomalySubscription(stack, 'CostAnomalies', {
    subscriptionName: `Kinora-${name}-${stack.region}`,
    // A topic can get messages only immediately. Daily summaries are only for mail addresses.
    frequency: 'IMMEDIATE',
    monitorArnList: [stableId(monitor, 'CostMonitor').attrMonitorArn],
    subscribers: [{ type: 'SNS', address: topic.topicArn }],
    thresholdExpression: stack.toJsonString({
      Dimensions: {
        Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
        MatchOptions: ['GREATER_THAN_OR_EQUAL'],
        Values: [String(Math.max(1, Math.round(monthlyBudget / 10)))],
      },
    }),
  });
  stableId(subscription, 'CostAnomalies');
}

const exceeding = (notificationType: string, threshold: number) => ({
  notificationType,
  comparisonOperator: 'GREATER_THAN',
  threshold,
  thresholdType: 'PERCENTAGE',
});
