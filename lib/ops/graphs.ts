/** How everything on the dashboard is drawn: five minutes a point, the unit at the axis, a third of the page wide. */
import { GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';

/** Widgets side by side, top down. */
export type Rows = IWidget[][];

/** Columns of a dashboard. */
export const pageWidth = 24;

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
