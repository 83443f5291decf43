/** Computes the history of an execution for GetExecutionHistory, from the records of its journal. */
import * as body from './history-events.ts';
import type { StateType } from './language.ts';
import type { JournalRecord } from './records.ts';

/** An event in the format of the service. Its timestamp is in seconds since the epoch. */
export interface HistoryEvent {
  id: number;
  previousEventId: number;
  timestamp: number;
  type: string;
  [details: string]: unknown;
}

/** The state of a scope while its records are read: its last event and its current state. */
interface Trail {
  /** The id of the event that precedes the next event of this scope. */
  last: number;
  /** Whether the scope is a child execution of a distributed Map. Its events are not in the history of the parent. */
  hidden: boolean;
  state: string;
  type: StateType;
  /** The resource of the task in the current state. */
  resource: string;
  distributed: boolean;
  failed: boolean;
  iteration?: { name: string; index: number };
}

/**
 * Types of events that are never the predecessor of another event. This was recorded on AWS for the event of the first state, and for
 * the event after a Map or Parallel.
 */
const neverAPredecessor = [
  'ExecutionStarted',
  'MapRunSucceeded',
  'MapStateSucceeded',
  'ParallelStateSucceeded',
];

/** Returns all events so far, the oldest first. */
export function historyOf(records: JournalRecord[], region: string): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const trails = new Map<string, Trail>();
  for (const record of records) {
    if (record.kind === 'begin') trails.set('', newTrail(0, false));
    if (record.kind === 'open') openTrail(trails, record);
    const trail = trails.get(record.scope);
    if (!trail) continue;
    remember(trail, record);
    if (trail.hidden) continue;
    for (const { type, ...details } of eventsOf(record, trail, region)) {
      const id = events.length + 1;
      events.push({ id, previousEventId: trail.last, timestamp: record.at / 1000, type, ...details });
      if (!neverAPredecessor.includes(type)) trail.last = id;
    }
    if (record.kind === 'end') followOn(trails, record.scope, trail.last);
  }
  return events;
}

function newTrail(last: number, hidden: boolean): Trail {
  return { last, hidden, state: '', type: 'Pass', resource: '', distributed: false, failed: false };
}

function openTrail(trails: Map<string, Trail>, record: Extract<JournalRecord, { kind: 'open' }>): void {
  const above = trails.get(record.parent);
  if (!above) return;
  const trail = newTrail(above.last, above.hidden || above.distributed);
  if (above.type === 'Map') trail.iteration = { name: above.state, index: record.index };
  trails.set(record.scope, trail);
}

/** Sets the predecessor of the event after a Map or Parallel: the last event of the branch that ended last. */
function followOn(trails: Map<string, Trail>, path: string, last: number): void {
  const parent = trails.get(path.slice(0, path.lastIndexOf('/')));
  if (parent) parent.last = last;
}

function remember(trail: Trail, record: JournalRecord): void {
  if (record.kind === 'enter') {
    Object.assign(trail, {
      state: record.state,
      type: record.type,
      resource: '',
      distributed: false,
      failed: false,
    });
  }
  if (record.kind === 'schedule') trail.resource = record.task.resource;
  if (record.kind === 'fan') trail.distributed = record.fan.as === 'children';
  if (record.kind === 'fail') trail.failed = true;
  if (record.kind === 'retry') trail.failed = false;
}

function eventsOf(record: JournalRecord, trail: Trail, region: string): body.EventBody[] {
  const { iteration } = trail;
  switch (record.kind) {
    case 'begin':
      return [body.executionStarted(record)];
    case 'open':
      return iteration ? [body.iteration('Started', iteration.name, iteration.index)] : [];
    case 'enter':
      return [body.stateEntered(record)];
    case 'schedule':
      return body.taskScheduled(record.task, region);
    case 'submit':
      return [body.taskSubmitted(trail.resource, record.output)];
    case 'succeed':
      return [body.taskSucceeded(trail.resource, record.output)];
    case 'fan':
      return fanStarted(record);
    case 'fail':
      return stateFailed(record, trail);
    case 'exit':
      return [
        ...(trail.failed ? [] : fanSucceeded(trail)),
        body.stateExited(record, trail.state, trail.type),
      ];
    case 'end':
      if (!iteration) return [];
      return [body.iteration(record.failure ? 'Failed' : 'Succeeded', iteration.name, iteration.index)];
    case 'finish':
      return [body.executionEnded(record)];
    default:
      return [];
  }
}

function fanStarted({ fan }: Extract<JournalRecord, { kind: 'fan' }>): body.EventBody[] {
  if (fan.as === 'branches') return [{ type: 'ParallelStateStarted' }];
  const started = { type: 'MapStateStarted', mapStateStartedEventDetails: { length: fan.items.length } };
  if (fan.mapRunArn === undefined) return [started];
  return [started, { type: 'MapRunStarted', mapRunStartedEventDetails: { mapRunArn: fan.mapRunArn } }];
}

function fanSucceeded({ type, distributed }: Trail): body.EventBody[] {
  if (type === 'Parallel') return [{ type: 'ParallelStateSucceeded' }];
  if (type !== 'Map') return [];
  return [...(distributed ? [{ type: 'MapRunSucceeded' }] : []), { type: 'MapStateSucceeded' }];
}

function stateFailed(record: Extract<JournalRecord, { kind: 'fail' }>, trail: Trail): body.EventBody[] {
  const { failure } = record;
  if (record.taskFailed) return [body.taskFailed(trail.resource, failure)];
  const events: body.EventBody[] = [];
  if (failure.location !== undefined) events.push(body.evaluationFailed(failure, trail.state));
  if (trail.distributed)
    events.push({ type: 'MapRunFailed', mapRunFailedEventDetails: body.errorDetails(failure) });
  if (trail.type === 'Map') events.push({ type: 'MapStateFailed' });
  if (trail.type === 'Parallel') events.push({ type: 'ParallelStateFailed' });
  return events;
}
