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

export interface MetricSpec {
  readonly namespace: string;
  readonly name: string;
  readonly statistic: string;
  readonly dimensions?: Record<string, string>;
  readonly label?: string;
  /** The region of the dashboard when absent. */
  readonly region?: string;
}

export function metric({ name, dimensions, ...spec }: MetricSpec): Metric {
  return new Metric({ ...spec, metricName: name, period, ...(dimensions && { dimensionsMap: dimensions }) });
}

/** A metric of Kinora's own: a sum over everything, without dimensions. */
export const counted = (
  environment: Pick<Environment, 'name'>,
  name: string,
  statistic = 'Sum',
  label?: string,
): Metric => metric({ namespace: namespaceOf(environment), name, statistic, ...(label && { label }) });
