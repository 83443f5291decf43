/** Tells when an environment costs more than it should: by the month, and where a day is unlike the days before. */
import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/logical-id.ts';

/** Percent of the budget. */
const SPENT = 80;
const FORECAST = 100;

/**
 * Costs are told apart by the tag `environment`, once somebody has activated it as a cost allocation tag (Billing User
 * Guide); until then both see nothing.
 */
export function watchCosts(stack: Stack, environment: Environment, topic: ITopic): void {
  const { name, monthlyBudget, costAnomalies } = environment;
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const budget = new CfnBudget(stack, 'Budget', {
    // Without a name: whom it tells cannot change but by another budget in its place, for which its name would be taken.
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:environment$${name}`] },
    },
    notificationsWithSubscribers: [
      { notification: exceeding('ACTUAL', SPENT), subscribers },
      { notification: exceeding('FORECASTED', FORECAST), subscribers },
    ],
  });
  stableId(budget, 'Budget');
  if (costAnomalies) watchAnomalies(stack, name, monthlyBudget, topic);
}

/**
 * Not by default: Cost Explorer has to be on, which a new account does by hand, and monitors of tags are for management
 * accounts alone. Either would fail the stack of all alarms.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/ce-enable.html, …/getting-started-ad.html
 */
function watchAnomalies(stack: Stack, name: string, monthlyBudget: number, topic: ITopic): void {
  const monitor = new CfnAnomalyMonitor(stack, 'CostMonitor', {
    monitorName: `Kinora-${name}-${stack.region}`,
    monitorType: 'CUSTOM',
    monitorSpecification: stack.toJsonString({ Tags: { Key: 'environment', Values: [name] } }),
  });
  const subscription = new CfnAnomalySubscription(stack, 'CostAnomalies', {
    subscriptionName: `Kinora-${name}-${stack.region}`,
    // A topic is told at once; summaries by the day go to addresses only.
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
