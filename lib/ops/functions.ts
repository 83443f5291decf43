/** Are functions throttled or slow? The names of functions begin with the names of their stacks, so searches find them. */
import type { Stack } from 'aws-cdk-lib';
import { metric } from '../shared/metrics.ts';
import { graph, heading, type Rows } from './graphs.ts';
import { highest } from './search.ts';

export function functionRows(api: Stack, jobs: Stack): Rows {
  const found = (name: string, statistic: string, ...stacks: Stack[]) =>
    highest({
      namespace: 'AWS/Lambda',
      dimension: 'FunctionName',
      metric: name,
      statistic,
      values: stacks.map(({ stackName }) => stackName),
    });
  return [
    heading(
      'Are functions throttled or slow?',
      'The ten highest of each. Invocations that were throttled were not run; state machines try theirs again. Who is near its memory: a saved query.',
    ),
    [
      graph('Which functions are throttled?', 'invocations', [found('Throttles', 'Sum', api, jobs)]),
      graph('Which API functions are slow?', 'ms, p99', [found('Duration', 'p99', api)]),
      graph('Which steps are slow?', 'ms, p99', [found('Duration', 'p99', jobs)]),
    ],
    [
      graph('Which functions crash or throw?', 'errors', [found('Errors', 'Sum', api, jobs)]),
      graph('Which functions run at once?', 'runs', [found('ConcurrentExecutions', 'Maximum', api, jobs)]),
      graph('How much concurrency is used?', 'runs in the account', [
        metric({
          namespace: 'AWS/Lambda',
          name: 'ConcurrentExecutions',
          statistic: 'Maximum',
          label: 'running',
        }),
      ]),
    ],
  ];
}
