/** Refuses definitions that would fail during an execution, or that contain parts that the executor would ignore. */
import { compile, expressionIn } from './jsonata.ts';
import {
  isDistributed,
  type Json,
  type MapState,
  recoveryOf,
  type State,
  type StateMachine,
  scopesOf,
  type TaskState,
} from './language.ts';
import { OFFERED_RESOURCES, resourceOf } from './resources.ts';
import { structuralFaults } from './structure.ts';
import { variableFaults } from './variables.ts';

/** Fields of JSONPath states. asl-validator misses some of them. */
const jsonPathFields = [
  'InputPath',
  'OutputPath',
  'ResultPath',
  'Parameters',
  'ResultSelector',
  'Result',
  'ItemsPath',
];

const jitterStrategies = ['FULL', 'NONE'];

/** The supported arguments of lambda:invoke. */
const invokeArguments = ['FunctionName', 'Payload'];

/** Checks a parsed definition, and returns it as a machine. Throws an Error with one line for each fault. */
export function checkedDefinition(name: string, definition: unknown): StateMachine {
  const faults = faultsOf(definition);
  if (faults.length > 0)
    throw new Error(
      `the state machine ${name} cannot be run:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  return definition as StateMachine;
}

function faultsOf(definition: unknown): string[] {
  const machine = definition as StateMachine | null;
  if (machine === null || typeof machine !== 'object') return ['the definition is not an object'];
  if (machine.QueryLanguage !== 'JSONata')
    return ["QueryLanguage must be 'JSONata': JSONPath machines are not offered"];
  const structural = structuralFaults(machine);
  if (structural.length > 0) return structural;
  const faults = variableFaults(machine);
  for (const { path, scope } of scopesOf(machine)) {
    for (const [name, state] of Object.entries(scope.States)) {
      faults.push(...stateFaults(state).map((fault) => `${path}/${name}: ${fault}`));
    }
  }
  return faults;
}

function stateFaults(state: State): string[] {
  if (state.QueryLanguage === 'JSONPath') return ['JSONPath states are not offered'];
  const faults = jsonPathFields
    .filter((field) => field in state)
    .map((field) => `${field} is a field of JSONPath states`);
  faults.push(...expressionFaults(ownFields(state)), ...recoveryFaults(state));
  if (state.Type === 'Task') faults.push(...taskFaults(state));
  if (state.Type === 'Map') faults.push(...mapFaults(state));
  return faults;
}

/** Returns a state without its inner states, because these are checked separately. */
function ownFields(state: State): Json {
  const { Branches: _, ItemProcessor: __, ...own } = state as unknown as Record<string, Json>;
  return own;
}

function expressionFaults(value: Json): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(expressionFaults);
  if (typeof value !== 'string' || !value.startsWith('{%')) return [];
  const code = expressionIn(value);
  if (code === undefined) return [`'${value}' begins like an expression but does not end with %}`];
  try {
    compile(code);
    return [];
  } catch (error) {
    return [`'${value}': ${(error as Error).message}`];
  }
}

/** Checks wildcards: "Such a value MUST appear alone … and MUST appear in the last Retrier" (specification, "Retrying after error"). */
function recoveryFaults(state: State): string[] {
  const { Retry = [], Catch = [] } = recoveryOf(state);
  const faults: string[] = [];
  for (const rules of [Retry, Catch]) {
    for (const [index, { ErrorEquals }] of rules.entries()) {
      const isAloneAndLast = ErrorEquals.length === 1 && index === rules.length - 1;
      if (ErrorEquals.includes('States.ALL') && !isAloneAndLast)
        faults.push('States.ALL must stand alone, in the last rule');
    }
  }
  for (const { JitterStrategy = 'NONE' } of Retry) {
    if (!jitterStrategies.includes(JitterStrategy))
      faults.push(`the JitterStrategy ${JitterStrategy} is not one of ${jitterStrategies.join(', ')}`);
  }
  return faults;
}

function taskFaults({ Resource, Arguments, TimeoutSeconds, HeartbeatSeconds }: TaskState): string[] {
  const resource = resourceOf(Resource);
  if (!resource) return [`the Resource ${Resource} is not offered; what is: ${OFFERED_RESOURCES.join(', ')}`];
  const faults: string[] = [];
  const argumentNames = Arguments !== null && typeof Arguments === 'object' ? Object.keys(Arguments) : [];
  const ignored =
    resource.kind === 'lambda' ? argumentNames.filter((name) => !invokeArguments.includes(name)) : [];
  for (const name of ignored) faults.push(`the argument ${name} of lambda:invoke is not offered`);
  const areNumbers = typeof TimeoutSeconds === 'number' && typeof HeartbeatSeconds === 'number';
  if (areNumbers && HeartbeatSeconds >= TimeoutSeconds)
    faults.push('HeartbeatSeconds must be smaller than TimeoutSeconds');
  return faults;
}

function mapFaults(state: MapState): string[] {
  const notOffered = ['ItemReader', 'ResultWriter', 'Iterator'].filter((field) => field in state);
  const faults = notOffered.map(
    (field) =>
      `${field} is not offered here: give the items as an array, and take the results from the output`,
  );
  if (state.ItemBatcher && !isDistributed(state)) faults.push('ItemBatcher needs a Map in DISTRIBUTED mode');
  return faults;
}
