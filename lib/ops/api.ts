/** Is the API well? Counted by operation, in the functions (`platform/kernel/resource.ts`); 501 is no error there. */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { serverErrors } from '../api/http-api.ts';
import type { Environment } from '../environments.ts';
import { namespaceOf } from '../shared/metrics.ts';
import { graph, heading, metric, pageWidth, period, type Rows } from './graphs.ts';
import { highest, total } from './search.ts';

/** @param apiId as API Gateway names the API */
export function apiRows(environment: Environment, apiId: string): Rows {
  const counted = (name: string, statistic: string) => ({
    namespace: namespaceOf(environment),
    dimension: 'Operation',
    metric: name,
    statistic,
  });
  const latency = (statistic: string) =>
    metric({
      namespace: 'AWS/ApiGateway',
      name: 'Latency',
      statistic,
      dimensions: { ApiId: apiId },
      label: statistic,
    });
  const failing = new MathExpression({
    expression: '100 * errors / requests',
    label: 'of all requests',
    period,
    usingMetrics: {
      errors: total(counted('ServerErrors', 'Sum'), 'server errors'),
      requests: total(counted('Requests', 'Sum'), 'requests'),
    },
  });
  const refused = metric({
    namespace: namespaceOf(environment),
    name: serverErrors,
    statistic: 'Sum',
    label: 'in the access log',
  });
  const half = pageWidth / 2;
  return [
    heading(
      'Is the API well?',
      'Server errors are 5xx without 501, which operations answer until their engine is there.',
    ),
    [
      graph('How many requests come?', 'requests', [total(counted('Requests', 'Sum'), 'requests')]),
      graph('How long do requests take?', 'ms', [latency('p50'), latency('p99')]),
      graph('Which share of the requests fails?', '% server errors', [failing]),
    ],
    [
      graph(
        'Which operations fail?',
        'server errors',
        [highest(counted('ServerErrors', 'Sum')), refused],
        half,
      ),
      graph('Which operations are asked for most?', 'requests', [highest(counted('Requests', 'Sum'))], half),
    ],
    [
      graph(
        'Which operations are slow for everybody?',
        'ms, p50',
        [highest(counted('Latency', 'p50'))],
        half,
      ),
      graph('Which operations are slow at times?', 'ms, p99', [highest(counted('Latency', 'p99'))], half),
    ],
  ];
}
