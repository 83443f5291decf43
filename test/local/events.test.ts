import { describe, expect, it } from 'vitest';
import { matches, startEvents } from '../../local/events.ts';
import type { EventRuleView } from '../../local/template/compute.ts';
import { executionEnded } from '../../toolchain/bundle/sample-events.ts';

const documented = executionEnded();
const target = 'arn:aws:lambda:us-east-1:000000000000:function:SettleExecution';
const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:IngestMachine';
const rule: EventRuleView = {
  logicalId: 'SettleExecutionRule',
  pattern: {
    source: ['aws.states'],
    'detail-type': ['Step Functions Execution Status Change'],
    detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [machine] },
  },
  targetArns: [target],
};
const ended = {
  arn: `${machine.replace(':stateMachine:', ':execution:')}:job`,
  ...{ name: 'job', machineArn: machine, status: 'FAILED' as const, input: '{"job_id":"job"}' },
  ...{ startedAt: 1_763_631_000_000, stoppedAt: 1_763_717_400_000, error: 'States.Runtime', cause: 'why' },
};

function started(rules: EventRuleView[], error?: string) {
  const told: { arn: string; event: Record<string, unknown> }[] = [];
  const lines: string[] = [];
  const events = startEvents({
    rules,
    functionArns: [target],
    ...{ region: 'us-east-1', accountId: '000000000000' },
    invoke: async (arn, payload) => {
      told.push({ arn, event: JSON.parse(payload) });
      return error ? { error: { errorType: error, errorMessage: 'no' } } : { payload: '{}' };
    },
    report: (line) => lines.push(line),
  });
  return { ...events, told, lines };
}

describe('an event rule', () => {
  it('invokes its functions when an execution ends with a matching status, with the event of the AWS documentation', async () => {
    const { executionEnded, told, lines } = started([rule]);
    await executionEnded(ended);
    await executionEnded({ ...ended, status: 'SUCCEEDED' });
    await executionEnded({ ...ended, machineArn: `${machine}Other` });
    expect(told.map(({ arn }) => arn)).toEqual([target]);
    const { event } = told[0]!;
    expect(Object.keys(event).sort()).toEqual(Object.keys(documented).sort());
    expect(Object.keys(event.detail as object).sort()).toEqual(Object.keys(documented.detail).sort());
    expect(event).toMatchObject({ time: '2025-11-21T09:30:00Z', detail: { name: 'job', status: 'FAILED' } });
    expect(lines).toEqual(['Events: 1 rules']);
  });

  it('is reported if its pattern has more than exact values, or its target is not a function', () => {
    const { lines } = started([
      { ...rule, pattern: { source: [{ prefix: 'aws.' }] } },
      { ...rule, targetArns: ['arn:aws:sqs:us-east-1:000000000000:queue'] },
    ]);
    expect(lines).toEqual([
      'Not followed here: the rule SettleExecutionRule: only exact values are understood',
      expect.stringContaining('its target arn:aws:sqs'),
    ]);
  });

  it('reports the error of a function that it invoked', async () => {
    const { executionEnded, lines } = started([rule], 'Sandbox.Timedout');
    await executionEnded(ended);
    expect(lines.at(-1)).toBe('The rule SettleExecutionRule failed: Sandbox.Timedout: no');
  });

  it('requires all values of its pattern in the event', () => {
    expect(matches(rule.pattern, { ...documented, source: 'aws.s3' })).toBe(false);
    expect(matches({ detail: { status: ['FAILED'] } }, {})).toBe(false);
    expect(matches({ detail: { error: [null] } }, { detail: { error: null } })).toBe(true);
  });
});
