/** How everything on the dashboard is drawn: five minutes a point, the unit at the axis, a third of the page wide. */
import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IMetric, type IWidget, Metric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';

/** Widgets side by side, top down. */
export type Rows = IWidget[][];

/** Columns of a dashboard. */
export const pageWidth = 24;

export const period = Duration.minutes(5);

export interface MetricSpec {
  readonly namespace: string;
  readonly name: string;
  readonly statistic: string;
  readonly dimensions?: Record<string, string>;
  readonly label?: string;
  /** The dashboard's when absent. */
  readonly region?: string;
}

export function metric({ name, dimensions, ...spec }: MetricSpec): Metric {
  return new Metric({ ...spec, metricName: name, period, ...(dimensions && { dimensionsMap: dimensions }) });
}

/**
 * @param title a question or a plain term
 * @param unit of the axis, which begins at zero
 * @param width in columns of the page
 */
export function graph(title: string, unit: string, metrics: IMetric[], width = pageWidth / 3): GraphWidget {
  return new GraphWidget({
    title: `${title} (${unit})`,
    left: metrics,
    leftYAxis: { label: unit, min: 0, showUnits: false },
    width,
    height: 6,
  });
}

/** A line over the part of the page that answers a question. */
export function heading(question: string, answer: string): IWidget[] {
  return [new TextWidget({ markdown: `## ${question}\n${answer}`, width: pageWidth, height: 2 })];
}
