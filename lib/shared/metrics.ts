/** Metrics over five minutes, and the namespace of Kinora's own metrics. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';

/**
 * The namespace of the metrics that Kinora publishes from functions and logs. It names the environment, because an
 * account may hold several.
 */
export const namespaceOf = ({ name }: Pick<Environment, 'name'>): string => `Kinora/${name}`;

export const period = Duration.minutes(5);

interface MetricOptions {
  readonly label?: string;
  /** The region of the dashboard when absent. */
  readonly region?: string;
}

/** @param source namespace and name of the metric: `AWS/Lambda Throttles` */
export function metric(
  source: string,
  statistic: string,
  dimensionsMap: Record<string, string> = {},
  options: MetricOptions = {},
): Metric {
  const [namespace = '', metricName = ''] = source.split(' ');
  return new Metric({ namespace, metricName, statistic, period, dimensionsMap, ...options });
}

/** A metric of Kinora's own: a sum over everything, without dimensions. */
export const counted = (
  environment: Pick<Environment, 'name'>,
  name: string,
  statistic = 'Sum',
  label?: string,
): Metric => metric(`${namespaceOf(environment)} ${name}`, statistic, {}, label ? { label } : {});
