/** The state of an execution, computed from the records of its journal. Running executions and replays use the same function. */
import type { Failure } from './errors.ts';
import type { Json, JsonObject } from './language.ts';
import type { Begin, Fan, JournalRecord, ScheduledTask } from './records.ts';

export interface Progress {
  begin: Begin;
  root: Scope;
  scopes: Map<string, Scope>;
  finish?: Extract<JournalRecord, { kind: 'finish' }>;
}

export interface Scope {
  path: string;
  input: Json;
  /** The number of states that were entered. */
  visits: number;
  visit?: Visit;
  /** The next state and its input, from which the walk continues. */
  pending: { state?: string; output: Json };
  variables: JsonObject;
  ended?: { output: Json } | { failure: Failure };
}

/** One visit of a state, from its entry to its exit, including retries. */
export interface Visit {
  number: number;
  state: string;
  input: Json;
  enteredAt: number;
  /** The number of retries in this visit. */
  attempt: number;
  spent: number[];
  /** The time when the next attempt may begin. */
  wakeAt?: number;
  failure?: Failure;
  until?: number;
  task?: ScheduledTask & { scheduledAt: number; submitted?: true; answer?: { output: Json } };
  fan?: Fan;
  children: Map<number, Scope>;
}

/** Returns the state of an execution that has just started. */
export function begun(begin: Begin): Progress {
  const root = newScope('', JSON.parse(begin.input) as Json);
  return { begin, root, scopes: new Map([['', root]]) };
}

/** Applies one record. Records of ended scopes change nothing. */
export function apply(progress: Progress, record: JournalRecord): void {
  if (record.kind === 'finish') {
    progress.finish = record;
    return;
  }
  if (record.kind === 'open') {
    openScope(progress, record);
    return;
  }
  const scope = progress.scopes.get(record.scope);
  if (!scope) return;
  if (record.kind === 'enter') enter(scope, record);
  else if (record.kind === 'exit') exit(progress, scope, record);
  else if (record.kind === 'end') end(progress, scope, record);
  else if (scope.visit) advance(progress, scope.visit, record);
}

/** Returns the state of an execution from its complete journal. Undefined if the journal is empty. */
export function replay(records: JournalRecord[]): Progress | undefined {
  const [first, ...rest] = records;
  if (first?.kind !== 'begin') return undefined;
  const progress = begun(first);
  for (const record of rest) apply(progress, record);
  return progress;
}

function newScope(path: string, input: Json): Scope {
  return { path, input, visits: 0, pending: { output: input }, variables: {} };
}

function openScope(progress: Progress, record: Extract<JournalRecord, { kind: 'open' }>): void {
  const visit = progress.scopes.get(record.parent)?.visit;
  if (!visit) return;
  const child = newScope(record.scope, record.input);
  visit.children.set(record.index, child);
  progress.scopes.set(record.scope, child);
}

function enter(scope: Scope, { state, input, at }: Extract<JournalRecord, { kind: 'enter' }>): void {
  scope.visits += 1;
  scope.visit = {
    number: scope.visits,
    state,
    input,
    enteredAt: at,
    attempt: 0,
    spent: [],
    children: new Map(),
  };
}

function exit(progress: Progress, scope: Scope, record: Extract<JournalRecord, { kind: 'exit' }>): void {
  leave(progress, scope);
  Object.assign(scope.variables, record.assign);
  scope.pending =
    record.next === undefined ? { output: record.output } : { state: record.next, output: record.output };
}

function end(
  progress: Progress,
  scope: Scope,
  { output, failure }: Extract<JournalRecord, { kind: 'end' }>,
): void {
  leave(progress, scope);
  scope.ended = failure ? { failure } : { output: output ?? null };
  // Removes the data of the ended scope, because there may be thousands of scopes.
  scope.input = null;
  scope.pending = { output: null };
  scope.variables = {};
}

function leave(progress: Progress, scope: Scope): void {
  if (scope.visit) dropChildren(progress, scope.visit);
  delete scope.visit;
}

function dropChildren(progress: Progress, visit: Visit): void {
  for (const child of visit.children.values()) {
    leave(progress, child);
    progress.scopes.delete(child.path);
  }
  visit.children.clear();
}

function advance(progress: Progress, visit: Visit, record: JournalRecord): void {
  switch (record.kind) {
    case 'schedule':
      visit.task = { ...record.task, scheduledAt: record.at };
      break;
    case 'submit':
      if (visit.task) visit.task.submitted = true;
      break;
    case 'succeed':
      if (visit.task) visit.task.answer = { output: record.output };
      break;
    case 'fail':
      visit.failure = record.failure;
      break;
    case 'wait':
      visit.until = record.until;
      break;
    case 'fan':
      visit.fan = record.fan;
      break;
    case 'retry':
      startOver(progress, visit, record);
      break;
  }
}

function startOver(
  progress: Progress,
  visit: Visit,
  record: Extract<JournalRecord, { kind: 'retry' }>,
): void {
  dropChildren(progress, visit);
  visit.attempt += 1;
  visit.spent[record.retrier] = (visit.spent[record.retrier] ?? 0) + 1;
  visit.wakeAt = record.wakeAt;
  delete visit.failure;
  delete visit.until;
  delete visit.task;
  delete visit.fan;
}
