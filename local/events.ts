/**
 * EventBridge on this machine, with the features that the template uses: rules that wait for the end of executions, and functions
 * as their targets. Patterns may contain only exact values. Rules with other patterns are reported and ignored. There are no
 * retries and no dead-letter queues: a failure is only in the log of the function.
 */
import { randomUUID } from 'node:crypto';
import type { Outcome } from './lambda/index.ts';
import type { Description } from './stepfunctions/run.ts';
import type { EventRuleView } from './template/compute.ts';

export type EventOptions = {
  rules: EventRuleView[];
  /** The ARNs of the functions that can be invoked. */
  functionArns: string[];
  region: string;
  accountId: string;
  invoke: (functionArn: string, payload: string) => Promise<Outcome>;
  report: (line: string) => void;
};

/** Must be called at the end of every execution. */
export type Events = { executionEnded(description: Description): Promise<void> };

/** Starts all supported rules. Reports the supported rules and the ignored rules. */
export function startEvents(options: EventOptions): Events {
  const { region, accountId, invoke, report } = options;
  const followed = options.rules.filter((rule) => {
    const fault = faultOf(rule, options.functionArns);
    if (fault !== undefined) report(`Not followed here: the rule ${rule.logicalId}: ${fault}`);
    return fault === undefined;
  });
  if (followed.length > 0) report(`Events: ${followed.length} rules`);
  return {
    async executionEnded(description) {
      const event = endOf(description, { region, accountId });
      const targets = followed.filter(({ pattern }) => matches(pattern, event));
      await Promise.all(targets.map((rule) => deliver(rule, event, invoke, report)));
    },
  };
}

function faultOf({ pattern, targetArns }: EventRuleView, functionArns: string[]): string | undefined {
  if (!isExact(pattern)) return 'only exact values are understood';
  const other = targetArns.find((arn) => !functionArns.includes(arn));
  return other && `its target ${other} is no function of the template`;
}

/** Whether the pattern contains only exact values: lists of values, in objects of any depth. EventBridge User Guide, "Event patterns". */
const isExact = (pattern: unknown): boolean =>
  Array.isArray(pattern)
    ? pattern.every((value) => value === null || typeof value !== 'object')
    : typeof pattern === 'object' && pattern !== null && Object.values(pattern).every(isExact);

/** Whether the event matches: each member of the pattern lists the value that the event has there. */
export function matches(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.includes(event);
  const members = (event ?? {}) as Record<string, unknown>;
  return Object.entries(pattern as object).every(([name, value]) => matches(value, members[name]));
}

async function deliver(
  { logicalId, targetArns }: EventRuleView,
  event: object,
  invoke: EventOptions['invoke'],
  report: EventOptions['report'],
): Promise<void> {
  for (const arn of targetArns) {
    const outcome = await invoke(arn, JSON.stringify(event)).catch((error: unknown) => ({
      error: { errorType: 'Error', errorMessage: String(error) },
    }));
    if ('error' in outcome)
      report(`The rule ${logicalId} failed: ${outcome.error.errorType}: ${outcome.error.errorMessage}`);
  }
}

/** Returns the event for the end of an execution. Step Functions Developer Guide, "Step Functions event examples". */
function endOf(
  { arn, machineArn, name, status, startedAt, stoppedAt, input, output, error, cause }: Description,
  { region, accountId }: Pick<EventOptions, 'region' | 'accountId'>,
): object {
  const ended = new Date(stoppedAt ?? startedAt).toISOString();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: accountId,
    time: ended.replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arn],
    detail: {
      ...{ executionArn: arn, stateMachineArn: machineArn, name, status },
      ...{ startDate: startedAt, stopDate: stoppedAt ?? null, input, output: output ?? null },
      inputDetails: { included: true },
      outputDetails: output === undefined ? null : { included: true },
      ...{ error: error ?? null, cause: cause ?? null },
    },
  };
}
