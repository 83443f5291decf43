/**
 * Metrics by what they have in common instead of by name: whatever function or operation there is, it is found.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from '../shared/metrics.ts';

export interface Search {
  readonly namespace: string;
  /** The only dimension of the metrics; its values are the labels. */
  readonly dimension: string;
  readonly metric: string;
  readonly statistic: string;
  /** Beginnings of the dimension's values, of which one must fit; any value does without. */
  readonly values?: readonly string[];
}

/** How many lines a graph shows: as many as a legend can tell apart. */
const SHOWN = 10;

/** The ten metrics that are the highest at any time. */
export function highest(search: Search): MathExpression {
  return new MathExpression({
    expression: `SLICE(SORT(${expressionOf(search)}, MAX, DESC), 0, ${SHOWN})`,
    label: `\${PROP('Dim.${search.dimension}')}`,
    period,
  });
}

/** All found metrics as one. */
export function total(search: Search, label: string): MathExpression {
  return new MathExpression({ expression: `SUM(${expressionOf(search)})`, label, period });
}

function expressionOf({ namespace, dimension, metric, statistic, values = [] }: Search): string {
  const filter = values.map((value) => `${dimension}=${value}`).join(' OR ');
  const terms = [`MetricName="${metric}"`, ...(filter === '' ? [] : [`(${filter})`])].join(' ');
  // Names with anything but letters and digits stand in quotes.
  return `SEARCH('{"${namespace}",${dimension}} ${terms}', '${statistic}')`;
}
