/** The shared style of all graphs: a point for each five minutes, and the unit at the axis. */
import {
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { period } from '../shared/metrics.ts';

export type Rows = IWidget[][];

/** The width of a dashboard in columns. */
export const PAGE_WIDTH = 24;

/** A graph: its title is a question or a term, its unit is at the axis, and its axis begins at zero. */
type Graph = readonly [title: string, unit: string, metrics: IMetric[]];

/** Returns graphs of equal width, side by side. */
export const row = (...graphs: readonly Graph[]): IWidget[] =>
  graphs.map(
    ([title, unit, left]) =>
      new GraphWidget({
        title: `${title} (${unit})`,
        left,
        leftYAxis: { label: unit, min: 0, showUnits: false },
        width: PAGE_WIDTH / graphs.length,
        height: 6,
      }),
  );

export const heading = (question: string, answer: string): IWidget[] => [
  new TextWidget({ markdown: `## ${question}\n${answer}`, width: PAGE_WIDTH, height: 2 }),
];

/** Metrics of Lambda functions whose names begin with one of the prefixes. */
interface Search {
  readonly metric: string;
  readonly statistic: string;
  readonly prefixes: readonly string[];
}

/** The maximum number of lines in a graph, because longer legends are hard to read. */
const SHOWN = 10;

export const highest = (search: Search): MathExpression =>
  new MathExpression({
    expression: `SLICE(SORT(${expressionOf(search)}, MAX, DESC), 0, ${SHOWN})`,
    label: `\${PROP('Dim.FunctionName')}`,
    period,
  });

export const total = (search: Search, label: string): MathExpression =>
  new MathExpression({ expression: `SUM(${expressionOf(search)})`, label, period });

/**
 * A search finds metrics by namespace and dimension, so new functions appear by themselves. Names need quotes, because some contain
 * other characters than letters and digits.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 */
function expressionOf({ metric, statistic, prefixes }: Search): string {
  const filter = prefixes.map((prefix) => `FunctionName=${prefix}`).join(' OR ');
  return `SEARCH('{"AWS/Lambda",FunctionName} MetricName="${metric}" (${filter})', '${statistic}')`;
}
