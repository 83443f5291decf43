import { createHash } from 'node:crypto';
import { childExecutionArn } from '../arns.ts';
import { evaluateFieldIn, evaluateIn, executionContext } from '../context.ts';
import { runtimeError, StateError, withinDataLimit } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import { isDistributed, type Json, type MapState } from '../language.ts';
import type { Scope } from '../progress.ts';
import type { Fan, Tolerance } from '../records.ts';
import { attemptKey, commit, type Frame, type Step, type Transition } from '../run.ts';
import { leave } from '../transition.ts';
import { intoBatches } from './batches.ts';
import { fanOut } from './fan-out.ts';

type MapFan = Extract<Fan, { as: 'iterations' | 'children' }>;

/**
 * The maximum number of simultaneous iterations. It applies if MaxConcurrency is absent or larger. Inline: 40 (developer guide,
 * "Using Map state in Inline mode"). Distributed: the default number of functions that an account may run.
 */
const mostAtOnce = { iterations: 40, children: 1000 };

/** Executes the processor once for each item or batch. The result is the list of outputs. Specification, "Map State". */
export async function map(step: Step<MapState>): Promise<Transition> {
  const { frame, state, visit } = step;
  if (!visit.fan) commit(frame, { kind: 'fan', fan: await prepare(step) });
  const { fan } = visit;
  if (!fan || fan.as === 'branches')
    throw new Error(`the journal of '${visit.state}' is not that of a Map state`);
  const result = await fanOut(step, {
    length: fan.items.length,
    concurrency: Math.min(fan.concurrency || Number.POSITIVE_INFINITY, mostAtOnce[fan.as]),
    states: () => state.ItemProcessor,
    input: (index) => inputOf(step, fan, index),
    surroundings: (index, child) => surroundingsOf(step, fan, index, child),
    tolerates: (failures) => tolerates(fan, failures),
    intolerable: (failure) => (hasThreshold(fan) ? thresholdExceeded() : failure),
  });
  return leave(step, state, result, { result });
}

async function prepare(step: Step<MapState>): Promise<MapFan> {
  const { state } = step;
  const as = isDistributed(state) ? 'children' : 'iterations';
  const items = await itemsOf(step);
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage, MaxConcurrency = 0 } = state;
  const tolerance: Tolerance = {
    ...(count !== undefined && {
      count: await evaluateFieldIn(step, TYPES.count, count, 'ToleratedFailureCount'),
    }),
    ...(percentage !== undefined && {
      percentage: await evaluateFieldIn(step, TYPES.percentage, percentage, 'ToleratedFailurePercentage'),
    }),
  };
  const concurrency = await evaluateFieldIn(step, TYPES.count, MaxConcurrency, 'MaxConcurrency');
  const batched = state.ItemBatcher
    ? await intoBatches(step, state.ItemBatcher, await selectAll(step, items))
    : items;
  return {
    as,
    items: batched,
    concurrency,
    tolerance,
    ...(as === 'children' && { mapRunArn: mapRunArn(step) }),
  };
}

async function itemsOf(step: Step<MapState>): Promise<Json[]> {
  const { state, visit } = step;
  if (state.Items !== undefined) return evaluateFieldIn(step, TYPES.array, state.Items, 'Items');
  if (Array.isArray(visit.input)) return visit.input;
  throw runtimeError(`The state '${visit.state}' has no Items, and its input is not an array.`);
}

async function selectAll(step: Step<MapState>, items: Json[]): Promise<Json[]> {
  const selected: Json[] = [];
  for (const [index, item] of items.entries()) selected.push(await select(step, index, item));
  return selected;
}

async function select(step: Step<MapState>, Index: number, Value: Json): Promise<Json> {
  const { ItemSelector } = step.state;
  if (ItemSelector === undefined) return Value;
  return evaluateIn(step, ItemSelector, 'ItemSelector', { item: { Index, Value } });
}

async function inputOf(step: Step<MapState>, fan: MapFan, index: number): Promise<Json> {
  const item = fan.items[index]!;
  const isSelected = step.state.ItemBatcher !== undefined;
  const input = isSelected ? item : await select(step, index, item);
  return withinDataLimit(input, `input of item ${index} of '${step.visit.state}'`);
}

/** Returns the members of a child's frame. An iteration has its item. A child execution has its own identity and variables. */
function surroundingsOf(step: Step<MapState>, fan: MapFan, Index: number, child: Scope): Partial<Frame> {
  if (fan.as === 'iterations') return { item: { Index, Value: fan.items[Index]! } };
  const { begin } = step.frame.run.progress;
  const name = shortHash(`${attemptKey(step)}.${Index}`);
  const arn = childExecutionArn(begin.machineArn, labelOf(step), name);
  const identity = { arn, name, input: child.input, at: step.visit.enteredAt };
  return { inherited: {}, execution: executionContext(begin, identity) };
}

function tolerates({ tolerance, items }: MapFan, failures: number): boolean {
  const { count, percentage } = tolerance;
  const withinCount = count === undefined || failures <= count;
  const withinShare = percentage === undefined || (failures / items.length) * 100 <= percentage;
  const isTolerant = count !== undefined || percentage !== undefined;
  return isTolerant && withinCount && withinShare;
}

/**
 * Whether a Map tolerates failed items up to a limit. A distributed Map always has a limit (default: 0). An inline Map without a
 * limit fails with the error of its item.
 */
function hasThreshold({ as, tolerance }: MapFan): boolean {
  return as === 'children' || tolerance.count !== undefined || tolerance.percentage !== undefined;
}

function thresholdExceeded(): StateError {
  return new StateError({
    error: 'States.ExceedToleratedFailureThreshold',
    cause: 'The specified tolerated failure threshold was exceeded',
  });
}

function mapRunArn(step: Step<MapState>): string {
  const { machineArn } = step.frame.run.progress.begin;
  return `${machineArn.replace(':stateMachine:', ':mapRun:')}/${labelOf(step)}:${shortHash(attemptKey(step))}`;
}

function labelOf({ state, visit }: Step<MapState>): string {
  return state.Label ?? visit.state.replace(/[^\w-]/g, '').slice(0, 40);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
