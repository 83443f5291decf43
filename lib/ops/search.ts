/**
 * Search expressions: they find metrics by namespace and dimension, so new functions and operations appear by
 * themselves. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from '../shared/metrics.ts';

export interface Search {
  readonly namespace: string;
  /** The only dimension of the metrics. Its values are the labels. */
  readonly dimension: string;
  readonly metric: string;
  readonly statistic: string;
  /** Prefixes of the dimension's value, of which one must match. Any value matches when absent. */
  readonly values?: readonly string[];
}

/** Most lines in a graph. A legend with more is hard to read. */
const SHOWN = 10;

/** The ten metrics with the highest maximum. */
export function highest(search: Search): MathExpression {
  return new MathExpression({
    expression: `SLICE(SORT(${expressionOf(search)}, MAX, DESC), 0, ${SHOWN})`,
    label: `\${PROP('Dim.${search.dimension}')}`,
    period,
  });
}

/** The sum of all metrics that match. */
export function total(search: Search, label: string): MathExpression {
  return new MathExpression({ expression: `SUM(${expressionOf(search)})`, label, period });
}

function expressionOf({ namespace, dimension, metric, statistic, values = [] }: Search): string {
  const filter = values.map((value) => `${dimension}=${value}`).join(' OR ');
  const terms = [`MetricName="${metric}"`, ...(filter === '' ? [] : [`(${filter})`])].join(' ');
  // Names need quotes, because some contain other characters than letters and digits.
  return `SEARCH('{"${namespace}",${dimension}} ${terms}', '${statistic}')`;
}
