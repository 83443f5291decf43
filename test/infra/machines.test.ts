import aslValidator from 'asl-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { machineId } from '../../lib/jobs/machine-references.ts';
import { steps } from '../../lib/jobs/steps.ts';
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

const definitions = readDefinitions();

/** All states with their names, inner ones included. */
function statesOf(states: States): [name: string, state: State][] {
  return Object.entries(states).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...statesOf(state.ItemProcessor?.States ?? {}),
    ...(state.Branches ?? []).flatMap((branch) => statesOf(branch.States)),
  ]);
}

const tasksOf = (body: string) => statesOf(JSON.parse(body).States).filter(([, { Type }]) => Type === 'Task');

describe.each(definitions)('$file', ({ body }) => {
  it('is valid Amazon States Language', () => {
    const { isValid, errorsText } = aslValidator(JSON.parse(body), { checkArn: false });
    expect(isValid, errorsText('\n')).toBe(true);
  });

  it('speaks JSONata throughout', () => {
    expect(JSON.parse(body).QueryLanguage).toBe('JSONata');
    for (const [name, { QueryLanguage }] of statesOf(JSON.parse(body).States)) {
      expect(QueryLanguage ?? 'JSONata', name).toBe('JSONata');
    }
  });

  it('ends by itself', () => {
    expect(JSON.parse(body).TimeoutSeconds).toBeGreaterThan(0);
  });

  it('gives every task a time-out, retries and a way out', () => {
    for (const [name, { TimeoutSeconds, Retry, Catch }] of tasksOf(body)) {
      expect(TimeoutSeconds, name).toBeGreaterThan(0);
      expect(Retry?.length, name).toBeGreaterThan(0);
      expect(Catch?.at(-1)?.ErrorEquals, name).toEqual(['States.ALL']);
    }
  });

  it('gives no step longer than its function has, nor a function longer than its task', () => {
    for (const [name, { Arguments, TimeoutSeconds }] of tasksOf(body)) {
      const step = /^\$\{(\w+)\}$/.exec(Arguments?.FunctionName ?? '')?.[1];
      expect(steps[step ?? ''], name).toBeDefined();
      expect(steps[step!]!.timeout, name).toBeLessThanOrEqual(TimeoutSeconds!);
    }
  });
});

describe('the machines', () => {
  let jobs: Template;

  beforeAll(() => {
    jobs = synthesize('dev').Jobs;
  });

  it('are one a file, of the standard type', () => {
    const machines = ofType(jobs, 'AWS::StepFunctions::StateMachine');
    expect(machines.map(([id]) => id).sort()).toEqual(definitions.map(({ name }) => machineId(name)).sort());
    for (const [, { Properties }] of machines) expect(Properties.StateMachineType).toBe('STANDARD');
  });

  it.each(definitions)(
    '$name invokes the functions of its steps and no others',
    ({ name, body, steps: named }) => {
      const machine = jobs.Resources[machineId(name)]!.Properties;
      const arns = Object.fromEntries(named.map((step) => [step, { 'Fn::GetAtt': [step, 'Arn'] }]));
      expect(machine.DefinitionString).toBe(body);
      expect(machine.DefinitionSubstitutions).toEqual(arns);
      const invoked = ofType(jobs, 'AWS::IAM::Policy')
        .filter(([, { Properties }]) => Properties.Roles[0].Ref === `${machineId(name)}Role`)
        .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
        .filter(({ Action }: { Action: string }) => Action === 'lambda:InvokeFunction')
        .flatMap(({ Resource }: { Resource: unknown }) => Resource);
      expect(invoked).toEqual(expect.arrayContaining(Object.values(arns)));
      expect(invoked).toHaveLength(named.length);
    },
  );

  it('log what fails, without the data of executions, and trace', () => {
    for (const [, { Properties }] of ofType(jobs, 'AWS::StepFunctions::StateMachine')) {
      expect(Properties.LoggingConfiguration).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
      expect(Properties.TracingConfiguration).toEqual({ Enabled: true });
    }
  });

  it('tell their addresses', () => {
    for (const { name } of definitions) {
      expect(jobs.Outputs[`${name}MachineArn`]!.Value).toEqual({ Ref: machineId(name) });
    }
  });
});
