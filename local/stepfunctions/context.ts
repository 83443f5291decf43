/** The context object and the bindings of expressions. Developer guide, "Accessing execution data from the Context object". */
import { executionArn, roleArn } from './arns.ts';
import { type Bindings, evaluateAs, evaluateTemplate, type FieldType } from './jsonata.ts';
import type { Json, JsonObject, Template } from './language.ts';
import type { Begin } from './records.ts';
import type { Frame, Step } from './run.ts';

/** Values that an expression may read besides input and context: a result, an error, a task token, an item of a Map. */
export interface Extra {
  result?: Json;
  errorOutput?: JsonObject;
  token?: string;
  item?: { Index: number; Value: Json };
}

/** Returns the Execution part of the context object, for an execution or for a child of a distributed Map. */
export function executionContext(
  begin: Begin,
  child?: { arn: string; name: string; input: Json; at: number },
): JsonObject {
  return {
    Id: child?.arn ?? executionArn(begin.machineArn, begin.name),
    Input: child ? child.input : (JSON.parse(begin.input) as Json),
    Name: child?.name ?? begin.name,
    RoleArn: roleArn(begin.machineArn),
    StartTime: new Date(child?.at ?? begin.at).toISOString(),
    RedriveCount: 0,
  };
}

/** Returns all variables that the states of a frame can read. */
export function variablesOf(frame: Frame): JsonObject {
  return { ...frame.inherited, ...frame.scope.variables };
}

/** Evaluates a template in a state. */
export function evaluateIn(
  step: Step,
  template: Template,
  location: string,
  extra: Extra = {},
): Promise<Json> {
  return evaluateTemplate(template, location, bindings(step, extra));
}

/** Evaluates a field in a state. Its value must have the given type. */
export function evaluateFieldIn<T extends Json>(
  step: Step,
  type: FieldType<T>,
  template: Template,
  location: string,
): Promise<T> {
  return evaluateAs(type, template, location, bindings(step, {}));
}

function bindings(step: Step, { result, errorOutput, token, item }: Extra): Bindings {
  const states: Bindings['states'] = { input: step.visit.input, context: contextObject(step, token, item) };
  if (result !== undefined) states.result = result;
  if (errorOutput !== undefined) states.errorOutput = errorOutput;
  return { states, variables: variablesOf(step.frame) };
}

function contextObject({ frame, visit }: Step, token: string | undefined, item = frame.item): JsonObject {
  const { begin } = frame.run.progress;
  const machineName = begin.machineArn.slice(begin.machineArn.lastIndexOf(':') + 1);
  return {
    Execution: frame.execution,
    StateMachine: { Id: begin.machineArn, Name: machineName },
    State: {
      Name: visit.state,
      EnteredTime: new Date(visit.enteredAt).toISOString(),
      RetryCount: visit.attempt,
    },
    ...(token !== undefined && { Task: { Token: token } }),
    ...(item && { Map: { Item: item } }),
  };
}
