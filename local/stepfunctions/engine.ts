/** Starts, resumes, finds, answers and ends all executions of the server. */
import { isDeepStrictEqual } from 'node:util';
import { executionArn } from './arns.ts';
import type { Clock } from './clock.ts';
import { type Failure, ServiceError } from './errors.ts';
import { carry, type LiveExecution } from './execution.ts';
import { type HistoryEvent, historyOf } from './history.ts';
import { errorDetails } from './history-events.ts';
import type { Journal } from './journal.ts';
import type { Json, StateMachine } from './language.ts';
import { begun, type Progress, replay } from './progress.ts';
import type { Begin, JournalRecord } from './records.ts';
import type { Description, Invoke, NestedExecutions, Services } from './run.ts';
import { refuseInvalidStart } from './start-request.ts';
import type { Outcome, Store, Summary } from './store.ts';
import { addressOf, visitAwaiting } from './tokens.ts';

export interface Machine {
  name: string;
  arn: string;
  definition: StateMachine;
}

export type StartRequest = Parameters<NestedExecutions['start']>[0];

export interface Engine {
  machines: Machine[];
  start(request: StartRequest): Promise<{ arn: string; startedAt: number }>;
  describe(arn: string): Promise<Description>;
  stop(arn: string, failure: Failure): Promise<{ stoppedAt: number }>;
  /** Resolves when the execution has ended. */
  ended(arn: string): Promise<Description>;
  history(arn: string): Promise<HistoryEvent[]>;
  /** Returns the executions, the newest first. */
  list(machineArn: string): Summary[];
  succeedTask(token: string, output: Json): Promise<void>;
  failTask(token: string, failure: Failure): Promise<void>;
  heartbeat(token: string): Promise<void>;
  /** Stops the engine without ending the executions: the next engine on the same store continues them. */
  close(): Promise<void>;
}

interface Entry {
  summary: Summary;
  /** The input as JSON text. Kept only while the execution runs. */
  input?: string;
  live?: LiveExecution;
  /** Resolves when the record of the start is on disk. */
  begun: Promise<void>;
  /** Resolves when the end is on disk and the journal is compacted. Never resolves if the server closes before. */
  over: Promise<void>;
}

export interface EngineOptions {
  store: Store;
  machines: Machine[];
  region: string;
  clock: Clock;
  invoke: Invoke;
  /** Called at the end of every execution, after the end is on disk. */
  onEnd?: (description: Description) => Promise<void>;
  random?: () => number;
  permit?: Services['permit'];
}

/**
 * How long finished executions are kept, ms. AWS keeps them for 90 days, and for 30 days on request ("Quotas related to
 * state machine executions").
 */
const KEPT_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;

/** Starts an engine, and continues every unfinished execution. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { store, machines, region, clock, invoke, onEnd, permit, random = Math.random } = options;
  const entries = new Map<string, Entry>(
    store.finished.map((summary) => [summary.arn, finishedEntry(summary)]),
  );
  const hashes = new Map<string, string>();
  for (const { arn, definition } of machines) hashes.set(arn, await store.saveDefinition(definition));

  const start = async (request: StartRequest): Promise<{ arn: string; startedAt: number }> => {
    const machine = machines.find(({ arn }) => arn === request.machineArn);
    if (!machine)
      throw new ServiceError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${request.machineArn}'`,
      );
    refuseInvalidStart(request);
    const arn = executionArn(machine.arn, request.name);
    const existing = entries.get(arn);
    if (existing) return again(existing, request);
    const begin = beginning(request, arn, hashes.get(machine.arn)!, clock.now());
    const entry = newEntry(begin);
    entries.set(arn, entry);
    entry.begun = open(entry, begin, machine.definition);
    await entry.begun;
    return { arn, startedAt: begin.at };
  };

  const open = async (entry: Entry, begin: Begin, machine: StateMachine): Promise<void> => {
    try {
      const journal = await store.begin(begin.arn);
      journal.append(begin);
      await journal.flushed();
      follow(entry, begun(begin), machine, journal);
    } catch (error) {
      entries.delete(begin.arn);
      throw error;
    }
  };

  const follow = (
    entry: Entry,
    progress: Progress,
    machine: StateMachine,
    journal: Journal<JournalRecord>,
  ): void => {
    const live = carry({ progress, machine, journal, services });
    entry.live = live;
    const never = new Promise<void>(() => {});
    entry.over = live.settled.then(() => (progress.finish ? putAway(entry, progress) : never));
    entry.over.catch((error) => console.error(`stepfunctions: ${entry.summary.arn}:`, error));
  };

  let swept = Number.NEGATIVE_INFINITY;
  /** Removes old executions, at most once an hour. Without this, a local cloud that is used for months fills the disk. */
  const sweep = async (): Promise<void> => {
    const now = clock.now();
    if (now - swept < HOUR_MS) return;
    swept = now;
    for (const [arn, { summary }] of entries) {
      if (summary.stoppedAt === undefined || now - summary.stoppedAt < KEPT_MS) continue;
      entries.delete(arn);
      await store.remove(arn);
    }
  };

  const putAway = async (entry: Entry, progress: Progress): Promise<void> => {
    const { at, status } = progress.finish!;
    entry.summary = { ...entry.summary, status, stoppedAt: at };
    const { arn } = entry.summary;
    await store.compact(entry.summary, outcomeOf(progress), historyOf(await store.records(arn), region));
    delete entry.live;
    delete entry.input;
    sweep().catch((error) => console.error('stepfunctions: old executions stay:', error));
    if (onEnd)
      describe(arn)
        .then(onEnd)
        .catch((error) => console.error(`stepfunctions: ${arn}:`, error));
  };

  const found = (arn: string): Entry => {
    const entry = entries.get(arn);
    if (!entry) throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return entry;
  };

  const describe = async (arn: string): Promise<Description> => {
    const { summary, live, input = '' } = found(arn);
    const { startedBy: _, ...description } = summary;
    if (summary.status === 'RUNNING') return { ...description, input };
    return { ...description, ...(live ? outcomeOf(live.run.progress) : await store.outcome(arn)) };
  };

  const ended = async (arn: string): Promise<Description> => {
    const entry = found(arn);
    await entry.begun;
    await entry.over;
    return describe(arn);
  };

  const stop = async (arn: string, failure: Failure): Promise<{ stoppedAt: number }> => {
    const entry = found(arn);
    await entry.begun;
    entry.live?.stop(failure);
    const { stoppedAt } = await ended(arn);
    return { stoppedAt: stoppedAt! };
  };

  const history = async (arn: string): Promise<HistoryEvent[]> => {
    const entry = found(arn);
    const { live } = entry;
    if (!live) return store.history(arn);
    if (live.run.progress.finish) return entry.over.then(() => store.history(arn));
    await live.run.durable();
    return historyOf(await store.records(arn), region);
  };

  /** Passes an answer to the waiting task. The answer is on disk before the caller gets a response. */
  const answer = async (token: string, give: (live: LiveExecution, scope: string) => void): Promise<void> => {
    const address = addressOf(token);
    const entry = address && entries.get(address.arn);
    if (!entry) throw new ServiceError('InvalidToken', `Invalid Token: '${token}'`);
    const { live } = entry;
    const visit = live && visitAwaiting(live.run.progress, token, address);
    if (!visit)
      throw new ServiceError('TaskTimedOut', 'Task Timed Out: Provided task does not exist anymore');
    give(live, address.scope);
    live.run.answers.get(token)?.();
    await live.run.durable();
  };

  const services: Services = {
    ...{ clock, region, invoke, random },
    nested: { start, ended, stop },
    ...(permit && { permit }),
  };

  const resumed = store.unfinished.map(({ records, journal }) => ({ progress: replay(records)!, journal }));
  const definitions = new Map<string, StateMachine>();
  for (const hash of new Set(resumed.map(({ progress }) => progress.begin.definition)))
    definitions.set(hash, await store.definition(hash));
  await sweep();
  // Registers all executions before any of them continues, because one may wait for another.
  for (const { progress } of resumed) entries.set(progress.begin.arn, newEntry(progress.begin));
  for (const { progress, journal } of resumed) {
    const { arn, definition } = progress.begin;
    follow(entries.get(arn)!, progress, definitions.get(definition)!, journal);
  }

  return {
    machines,
    start,
    describe,
    stop,
    ended,
    history,
    list: (machineArn) =>
      [...entries.values()]
        .map(({ summary }) => summary)
        .filter((summary) => summary.machineArn === machineArn)
        .sort((a, b) => b.startedAt - a.startedAt),
    succeedTask: (token, output) =>
      answer(token, (live, scope) => live.run.commit({ kind: 'succeed', scope, output })),
    failTask: (token, failure) =>
      answer(token, (live, scope) => live.run.commit({ kind: 'fail', scope, failure, taskFailed: true })),
    heartbeat: (token) =>
      answer(token, (live) => {
        live.run.heartbeats.set(token, clock.now());
      }),
    async close() {
      const running = [...entries.values()].flatMap(({ live, over }) => (live ? [{ live, over }] : []));
      for (const { live } of running) live.halt();
      // Also waits for the compacted file of an execution that has just ended, because the next engine in this folder reads the file.
      const quiet = async ({ live, over }: (typeof running)[number]) => {
        await live.settled;
        if (live.run.progress.finish) await over;
      };
      await Promise.allSettled(running.map(quiet));
    },
  };
}

function beginning(request: StartRequest, arn: string, definition: string, at: number): Begin {
  const { name, machineArn, input, startedBy } = request;
  return {
    kind: 'begin',
    at,
    scope: '',
    arn,
    name,
    machineArn,
    definition,
    input,
    ...(startedBy && { startedBy }),
  };
}

/**
 * Handles a repeated start. StartExecution is idempotent for a running execution with the same input. A start by a task is
 * idempotent for the same attempt of the task.
 */
async function again(entry: Entry, request: StartRequest): Promise<{ arn: string; startedAt: number }> {
  const { summary, input = 'null' } = entry;
  const isSameTask = request.startedBy !== undefined && request.startedBy === summary.startedBy;
  const isSameRequest =
    summary.status === 'RUNNING' && isDeepStrictEqual(JSON.parse(input), JSON.parse(request.input));
  if (!isSameTask && !isSameRequest) {
    throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${summary.arn}'`);
  }
  await entry.begun;
  return { arn: summary.arn, startedAt: summary.startedAt };
}

function newEntry({ arn, name, machineArn, at, input, startedBy }: Begin): Entry {
  const summary: Summary = {
    arn,
    name,
    machineArn,
    status: 'RUNNING',
    startedAt: at,
    ...(startedBy && { startedBy }),
  };
  return { summary, input, begun: Promise.resolve(), over: Promise.resolve() };
}

function finishedEntry(summary: Summary): Entry {
  return { summary, begun: Promise.resolve(), over: Promise.resolve() };
}

function outcomeOf({ begin, finish }: Progress): Outcome {
  return {
    input: begin.input,
    ...(finish?.output !== undefined && { output: JSON.stringify(finish.output) }),
    ...errorDetails(finish?.failure ?? {}),
  };
}
