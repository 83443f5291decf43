/** Are webhooks delivered? Each delivery is an execution, and each request is a run of its step. */
import type { JobsStack } from '../jobs/jobs-stack.ts';
import { executions, failures } from './executions.ts';
import { graph, heading, type Rows } from './graphs.ts';
import { total } from './search.ts';

/** Name of the machine and of its only step. */
const delivery = 'DeliverEvent';

export function webhookRows({ stackName, machines }: JobsStack): Rows {
  const machine = machines[delivery];
  if (machine === undefined) throw new Error(`The dashboard shows ${delivery}, which is no state machine`);
  const sending = {
    namespace: 'AWS/Lambda',
    dimension: 'FunctionName',
    values: [`${stackName}-${delivery}`],
  };
  const requests = total({ ...sending, metric: 'Invocations', statistic: 'Sum' }, 'requests sent');
  return [
    heading(
      'Are webhooks delivered?',
      'A delivery tries for three days. Many requests for few settled deliveries: receivers are down or refuse. ' +
        'An execution that fails is a fault of ours.',
    ),
    [
      graph('Are deliveries settled?', 'deliveries, requests', [
        executions(machine, 'ExecutionsStarted', 'begun'),
        executions(machine, 'ExecutionsSucceeded', 'settled'),
        requests,
      ]),
      graph('Do deliveries fail?', 'executions', failures(delivery, machine)),
      graph('How long do deliveries take?', 'ms', [
        executions(machine, 'ExecutionTime', 'p50', 'p50'),
        executions(machine, 'ExecutionTime', 'p99', 'p99'),
      ]),
    ],
  ];
}
