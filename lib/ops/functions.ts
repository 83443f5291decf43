/** Are functions throttled, slow, or near their memory? Functions are named after their stacks, and so found. */
import type { Stack } from 'aws-cdk-lib';
import { LogQueryVisualizationType, LogQueryWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { KinoraFunction } from '../shared/function.ts';
import { metric } from '../shared/metrics.ts';
import { graph, heading, pageWidth, type Rows } from './graphs.ts';
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
      'Are functions throttled, slow or near their memory?',
      'The ten highest of each. Invocations that were throttled were not run; state machines try theirs again.',
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
    [
      nearMemory('Which API functions are near their memory?', api),
      nearMemory('Which steps are near their memory?', jobs),
    ],
  ];
}

/** Lambda has no metric of memory: it writes it after every run into the function's log. */
function nearMemory(title: string, stack: Stack): LogQueryWidget {
  return new LogQueryWidget({
    title: `${title} (% of it, MB)`,
    logGroupNames: logGroupsOf(stack),
    queryLines: [
      'filter @message like /^REPORT RequestId/',
      'parse @message /Memory Size: (?<memory>\\d+) MB\\s+Max Memory Used: (?<used>\\d+) MB/',
      'stats max(100 * used / memory) as percent, max(used) as used_MB, max(memory) as memory_MB by @log',
      'sort percent desc',
      'limit 10',
    ],
    view: LogQueryVisualizationType.TABLE,
    width: pageWidth / 2,
    height: 6,
  });
}

/**
 * Names of log groups. They are plain text, because in another stack a reference would be an output a
 * function.
 */
function logGroupsOf(stack: Stack): string[] {
  const functions = stack.node.findAll().filter((construct) => construct instanceof KinoraFunction);
  return functions.map(({ logGroup }) => (logGroup.node.defaultChild as CfnLogGroup).logGroupName!);
}
