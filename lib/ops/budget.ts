/** Notifies operators if the account costs too much: in a month, or in a day that differs from the days before. */
import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';

/** The percentage of the budget for actual costs. A notification is sent when they reach it. */
const SPENT = 80;
/** The percentage of the budget for the forecast. A notification is sent when it reaches it. */
const FORECAST = 100;

/**
 * The budget is that of the whole account. With a filter by the tag `environment` it would see nearly nothing: requests to Translate,
 * Polly, Rekognition and Comprehend have no resource that could have a tag, and they are most of the costs (decision 78).
 */
export function watchCosts(stack: Stack, environment: Environment, topic: ITopic): void {
  const { monthlyBudget, costAnomalies } = environment;
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const budget = new CfnBudget(stack, 'Budget', {
    // The budget has no name: a change of subscribers replaces it, and the old budget would still use the name.
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
 * Off by default. In a new account, a person must enable Cost Explorer, and only management accounts may have monitors of accounts.
 * Otherwise, the stack of all alarms would fail. A monitor of services would need no account, but an account may have only one. https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html,
 * …/getting-started-ad.html
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
