/** Makes the history of an execution for GetExecutionHistory from the records of its journal. */

import * as body from './history-events.ts';
import type { StateType } from './language.ts';
import type { JournalRecord } from './records.ts';

/** An event in the service's wire format; its timestamp counts seconds since the epoch. */
export interface HistoryEvent {
  id: number;
  previousEventId: number;
  timestamp: number;
  type: string;
  [details: string]: unknown;
}

/** Facts of a scope, from the journal: its last event and its current state. */
interface Trail {
  /** The event that the next one of this scope follows. */
  last: number;
  /** Child executions of a distributed Map are not in their parent's history. */
  hidden: boolean;
  state: string;
  type: StateType;
  /** The resource of the current state's task. */
  resource: string;
  distributed: boolean;
  failed: boolean;
  iteration?: { name: string; index: number };
}

/**
 * Events that no other event names as its predecessor. Recorded on AWS: neither the first state's entry nor the event
 * after a Map or Parallel names these.
 */
const neverAPredecessor = [
  'ExecutionStarted',
  'MapRunSucceeded',
  'MapStateSucceeded',
  'ParallelStateSucceeded',
];

/** All events so far, oldest first. */
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

/** The event after a Map or Parallel names the event of the branch that ended last as its predecessor. */
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
