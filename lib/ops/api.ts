/** Is the API well? Shows sums over all operations; saved queries find the operation. 501 is no error. */
import { Duration } from 'aws-cdk-lib';
import { serverErrors } from '../api/http-api.ts';
import type { Environment } from '../environments.ts';
import { counted, metric } from '../shared/metrics.ts';
import { AVAILABILITY_OBJECTIVE, failingShare } from './alarms.ts';
import { graph, heading, type Rows } from './graphs.ts';

/** @param apiId id of the API in API Gateway */
export function apiRows(environment: Environment, apiId: string): Rows {
  const gateway = (name: string, statistic: string, label = statistic) =>
    metric({ namespace: 'AWS/ApiGateway', name, statistic, dimensions: { ApiId: apiId }, label });
  return [
    heading(
      'Is the API well?',
      `Server errors are 5xx without 501, which operations answer until their engine is there. The objective: ${AVAILABILITY_OBJECTIVE} % ` +
        'of the requests of thirty days without one. Which operations fail or are slow: the saved queries under Logs Insights.',
    ),
    [
      graph('How many requests come?', 'requests', [gateway('Count', 'Sum', 'requests')]),
      graph('How long do requests take?', 'ms', [gateway('Latency', 'p50'), gateway('Latency', 'p99')]),
      graph('How long do our functions take?', 'ms', [
        counted(environment, 'Latency', 'p50', 'p50'),
        counted(environment, 'Latency', 'p99', 'p99'),
      ]),
    ],
    [
      graph('Which share of the requests fails?', '% server errors', [
        failingShare(environment, apiId, Duration.hours(1)),
      ]),
      graph('How many requests fail?', 'server errors', [
        counted(environment, serverErrors, 'Sum', 'in the access log'),
        counted(environment, 'ServerErrors', 'Sum', 'answered by functions'),
      ]),
      graph('How many requests are refused?', '4xx', [gateway('4xx', 'Sum', 'client errors')]),
    ],
  ];
}
