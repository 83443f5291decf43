import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import aslValidator from 'asl-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { GRACE_S, narrowed, readDefinitions, type Scope, widthOf } from '../../lib/jobs/definitions.ts';
import { machineId } from '../../lib/jobs/machine.ts';
import { retriers } from '../../lib/jobs/retrying.ts';
import { settingsOf, steps } from '../../lib/jobs/steps.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { ofType, synthesize, type Template } from './assembly.ts';

interface State {
  readonly Type: string;
  readonly QueryLanguage?: string;
  readonly Arguments?: { readonly FunctionName?: string };
  readonly TimeoutSeconds?: number;
  readonly Retry?: readonly object[];
  readonly Catch?: readonly { readonly Next: string; readonly ErrorEquals: readonly string[] }[];
  readonly ItemProcessor?: { readonly States: States };
  readonly Branches?: readonly { readonly States: States }[];
}
type States = Readonly<Record<string, State>>;

const folder = join(root, 'state-machines');
const definitions = readDefinitions();

/** All states with their names, including those inside of other states. */
function statesOf(states: States): [name: string, state: State][] {
  return Object.entries(states).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...statesOf(state.ItemProcessor?.States ?? {}),
    ...(state.Branches ?? []).flatMap((branch) => statesOf(branch.States)),
  ]);
}

const tasksOf = (body: string) => statesOf(JSON.parse(body).States).filter(([, { Type }]) => Type === 'Task');
const outerStatesOf = (body: string) => Object.entries(JSON.parse(body).States as States);

it('each step is called by a machine', () => {
  const called = definitions.flatMap(({ steps }) => steps);
  const orphans = Object.keys(steps).filter((name) => !called.includes(name));
  expect(orphans.map((name) => `No machine calls ${name}: add a Task to state-machines/`)).toEqual([]);
});

describe.each(definitions)('$file', ({ file, body }) => {
  it('is valid Amazon States Language', () => {
    const { isValid, errorsText } = aslValidator(JSON.parse(body), { checkArn: false });
    expect(isValid, errorsText('\n')).toBe(true);
  });

  it('uses only JSONata', () => {
    expect(JSON.parse(body).QueryLanguage).toBe('JSONata');
    for (const [name, { QueryLanguage }] of statesOf(JSON.parse(body).States)) {
      expect(QueryLanguage ?? 'JSONata', name).toBe('JSONata');
    }
  });

  it('ends at its time-out at the latest', () => {
    expect(JSON.parse(body).TimeoutSeconds).toBeGreaterThan(0);
  });

  it('gives every task the shared retries, and a time-out after that of its function', () => {
    for (const [name, { Arguments, TimeoutSeconds, Retry }] of tasksOf(body)) {
      const [, step] = /^\$\{(\w+)\}$/.exec(Arguments?.FunctionName ?? '') ?? [];
      expect(TimeoutSeconds, name).toBe(settingsOf(step!).timeout + GRACE_S);
      expect(Retry, name).toEqual(retriers);
    }
  });

  it('is also valid before the synthesis', () => {
    const { isValid, errorsText } = aslValidator(JSON.parse(readFileSync(join(folder, file), 'utf8')), {});
    expect(isValid, errorsText('\n')).toBe(true);
  });

  it('lets an error inside a Map or Parallel fail the outer state, or ends only one item with the reason', () => {
    const outer = outerStatesOf(body).map(([name]) => name);
    const inner = statesOf(JSON.parse(body).States).filter(([name]) => !outer.includes(name));
    for (const [name, { Catch }] of inner) {
      const reasons = Catch?.map((one) => JSON.stringify(one));
      if (Catch !== undefined)
        expect(reasons, name).toEqual([expect.stringContaining('$states.errorOutput')]);
    }
  });
});

describe('the machines', () => {
  let jobs: Template;

  beforeAll(() => {
    jobs = synthesize('dev').Jobs;
  });

  it('are one for each file, of the standard type', () => {
    const machines = ofType(jobs, 'AWS::StepFunctions::StateMachine');
    expect(machines.map(([id]) => id).sort()).toEqual(definitions.map(({ name }) => machineId(name)).sort());
    for (const [, { Properties }] of machines) expect(Properties.StateMachineType).toBe('STANDARD');
  });

  it.each(definitions)('invoke only the functions of their steps: $name', ({ name, body, steps: named }) => {
    const machine = jobs.Resources[machineId(name)]!.Properties;
    const arns = Object.fromEntries(named.map((step) => [step, { 'Fn::GetAtt': [step, 'Arn'] }]));
    // The MaxConcurrency depends on the account: test/infra/capacity.test.ts.
    const [deployed, written] = [machine.DefinitionString, body].map((text) => JSON.parse(text) as Scope);
    expect(narrowed(deployed!, 1)).toEqual(narrowed(written!, 1));
    expect(widthOf(deployed!)).toBeLessThanOrEqual(widthOf(written!));
    expect(machine.DefinitionSubstitutions).toEqual(arns);
    const invoked = ofType(jobs, 'AWS::IAM::Policy')
      .filter(([, { Properties }]) => Properties.Roles[0].Ref === `${machineId(name)}Role`)
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }: { Action: string }) => Action === 'lambda:InvokeFunction')
      .flatMap(({ Resource }: { Resource: unknown }) => Resource);
    expect(invoked).toEqual(expect.arrayContaining(Object.values(arns)));
    expect(invoked).toHaveLength(named.length);
  });

  it('log errors without the data of executions, and write traces', () => {
    for (const [, { Properties }] of ofType(jobs, 'AWS::StepFunctions::StateMachine')) {
      expect(Properties.LoggingConfiguration).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
      expect(Properties.TracingConfiguration).toEqual({ Enabled: true });
    }
  });
});
