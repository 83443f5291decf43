/** Shared style of all graphs: a point for each five minutes, the unit at the axis, a third of the page wide. */
import { GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';

/** Rows of widgets, from top to bottom. */
export type Rows = IWidget[][];

/** Width of a dashboard in columns. */
export const pageWidth = 24;

/**
 * @param title a question or a plain term
 * @param unit label of the axis, which begins at zero
 * @param width in columns
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

/** A heading above the graphs that answer a question. */
export function heading(question: string, answer: string): IWidget[] {
  return [new TextWidget({ markdown: `## ${question}\n${answer}`, width: pageWidth, height: 2 })];
}
