/** Checks the names of variables in Assign fields. Specification, "Variables" and "Variable Scope". */
import { innerScopes, isDistributed, type JsonObject, type State, type States } from './language.ts';

/** The rules for names: Unicode Standard Annex 31, and at most 80 characters (specification). */
const VARIABLE_NAME = /^\p{ID_Start}\p{ID_Continue}*$/u;
const LONGEST_NAME = 80;

/** Returns the faults in the variables of a machine, one sentence each. */
export function variableFaults(machine: States, outer: ReadonlySet<string> = new Set()): string[] {
  const faults: string[] = [];
  const own = new Set<string>();
  for (const [stateName, state] of Object.entries(machine.States)) {
    for (const name of assignedBy(state)) {
      own.add(name);
      const fault = nameFault(name, outer);
      if (fault) faults.push(`the state '${stateName}' cannot assign '${name}': ${fault}`);
    }
  }
  for (const state of Object.values(machine.States)) {
    const isIsland = state.Type === 'Map' && isDistributed(state);
    const visible = isIsland ? new Set<string>() : new Set([...outer, ...own]);
    for (const [inner] of innerScopes(state)) faults.push(...variableFaults(inner, visible));
  }
  return faults;
}

function nameFault(name: string, outer: ReadonlySet<string>): string | undefined {
  if (name === 'states') return 'the name is reserved';
  if (!VARIABLE_NAME.test(name) || [...name].length > LONGEST_NAME) return 'it is not a variable name';
  if (outer.has(name)) return 'a variable of an outer scope has this name';
  return undefined;
}

function assignedBy(state: State): string[] {
  const exits: { Assign?: JsonObject }[] = [state];
  if (state.Type === 'Choice') exits.push(...state.Choices);
  if ('Catch' in state) exits.push(...(state.Catch ?? []));
  return exits.flatMap(({ Assign = {} }) => Object.keys(Assign));
}
