import { createHash } from 'node:crypto';
import { cp, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../stepfunctions/clock.ts';
import { checkedDefinition } from '../../stepfunctions/definition.ts';
import { type Engine, startEngine } from '../../stepfunctions/engine.ts';
import { Cancelled } from '../../stepfunctions/errors.ts';
import { encodeRecord } from '../../stepfunctions/journal.ts';
import type { StateMachine } from '../../stepfunctions/language.ts';
import type { JournalRecord } from '../../stepfunctions/records.ts';
import type { Invoke } from '../../stepfunctions/run.ts';
import { openStore } from '../../stepfunctions/store.ts';
import { durableFunctions, durableMachine } from './durable-machine.ts';
import { callbackTask, machine, machineArn, REGION, skippingClock } from './harness.ts';

const dirs: string[] = [];
const engines: Engine[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const engine of engines.splice(0)) await engine.close();
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true });
});

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'stepfunctions-'));
  dirs.push(dir);
  return dir;
}

/** Work of the functions, by idempotency key. A repeated key changes nothing, as in an idempotent function. */
type Effects = Map<string, unknown>;

function idempotentInvoke(effects: Effects, engine: () => Engine): Invoke {
  return async (arn, payload, { idempotencyKey }) => {
    const body = durableFunctions[arn.slice(arn.lastIndexOf(':') + 1)]!;
    if (!effects.has(idempotencyKey)) effects.set(idempotencyKey, payload);
    return body(payload, idempotencyKey, (token, output) => engine().succeedTask(token, output));
  };
}

async function engineOn(dir: string, effects: Effects, definition: unknown, clock = skippingClock()) {
  const store = await openStore(dir);
  // An execution that ends leaves only its history, so its records are read before.
  let records: JournalRecord[] = [];
  const { compact } = store;
  store.compact = async (summary, ...rest) => {
    if (summary.arn === arn) records = await store.records(arn);
    return compact(summary, ...rest);
  };
  const machines = [{ name: 'm', arn: machineArn('m'), definition: definition as StateMachine }];
  const engine: Engine = await startEngine({
    store,
    machines,
    region: REGION,
    clock,
    invoke: idempotentInvoke(effects, () => engine),
    random: () => 1,
  });
  engines.push(engine);
  return { engine, written: () => records };
}

const start = (engine: Engine, name = 'one', input: unknown = {}) =>
  engine.start({ machineArn: machineArn('m'), name, input: JSON.stringify(input) });

async function reached(engine: Engine, type: string, execution = arn): Promise<void> {
  while (!(await engine.history(execution)).some((event) => event.type === type)) await pause();
}

const arn = 'arn:aws:states:eu-west-1:123456789012:execution:m:one';
const journalName = `${createHash('sha256').update(arn).digest('hex').slice(0, 40)}.journal`;

/** An uninterrupted run, and every record it wrote. */
async function wholeRun() {
  const effects: Effects = new Map();
  const { engine, written } = await engineOn(await newDir(), effects, durableMachine);
  await start(engine, 'one', { items: [1, 2, 3] });
  return { description: await engine.ended(arn), effects, records: written() };
}

/** An engine of the durable machine that starts after a crash, when the journal had these records. */
async function crashedAfter(records: JournalRecord[], effects: Effects) {
  const dir = await newDir();
  await (await openStore(dir)).saveDefinition(checkedDefinition('m', durableMachine));
  await writeFile(join(dir, 'executions', journalName), records.map(encodeRecord).join(''));
  const { engine, written } = await engineOn(dir, effects, durableMachine, skippingClock(records.at(-1)!.at));
  await answerOpenTokens(engine, records);
  return { engine, dir, written };
}

describe('an execution that continues after a crash', () => {
  it('has the same end and effects, whichever record was the last before the crash', async () => {
    const whole = await wholeRun();
    expect(whole.description.status).toBe('SUCCEEDED');
    const kinds = new Set(whole.records.map(({ kind }) => kind));
    const all = 'begin end enter exit fail fan finish open retry schedule submit succeed wait';
    expect([...kinds].sort().join(' ')).toBe(all);
    for (let count = 1; count <= whole.records.length; count += 1) {
      const after = `after ${count} records`;
      const records = whole.records.slice(0, count);
      const effects = effectsSoFar(whole.effects, records);
      const { engine, dir } = await crashedAfter(records, effects);
      const { status, output } = await engine.ended(arn);
      expect({ after, status, output }).toEqual({
        after,
        status: 'SUCCEEDED',
        output: whole.description.output,
      });
      expect([...effects.keys()].sort(), after).toEqual([...whole.effects.keys()].sort());
      const events = await engine.history(arn);
      expect(
        events.map(({ id }) => id),
        after,
      ).toEqual(events.map((_, index) => index + 1));
      expect(await readdir(join(dir, 'executions'))).toEqual([journalName.replace('.journal', '.finished')]);
    }
  });

  it('has the same end after any number of crashes, each a few records after the last', async () => {
    const whole = await wholeRun();
    let records = whole.records.slice(0, 1);
    for (let crashes = 0; ; crashes += 1) {
      const effects = effectsSoFar(whole.effects, records);
      const { engine, written } = await crashedAfter(records, effects);
      const { status, output } = await engine.ended(arn);
      expect({ crashes, status, output }).toMatchObject({
        status: 'SUCCEEDED',
        output: whole.description.output,
      });
      const next = written().slice(0, records.length + 7);
      if (next.length === written().length) break;
      records = next;
    }
  });

  it('continues a Wait state until its original time (spec: Wait State)', async () => {
    const definition = machine({ W: { Type: 'Wait', Seconds: 3600, End: true } });
    const dir = await newDir();
    const began = Date.UTC(2026, 0, 1);
    const first = await engineOn(dir, new Map(), definition, standingClock(began));
    await start(first.engine);
    await reached(first.engine, 'WaitStateEntered');
    await first.engine.close();
    const clock = skippingClock(began + 3_000_000);
    const second = await engineOn(dir, new Map(), definition, clock);
    await second.engine.ended(arn);
    expect(clock.now()).toBe(began + 3_600_000);
  });

  it('continues with its original definition (guide: Update a state machine)', async () => {
    const wait = (output: string) => machine({ W: { Type: 'Wait', Seconds: 10, Output: output, End: true } });
    const dir = await newDir();
    const first = await engineOn(dir, new Map(), wait('old'), standingClock(0));
    await start(first.engine);
    await first.engine.close();
    const second = await engineOn(dir, new Map(), wait('new'));
    expect((await second.engine.ended(arn)).output).toBe('"old"');
    const { arn: later } = await start(second.engine, 'two');
    expect((await second.engine.ended(later)).output).toBe('"new"');
  });

  const holding = machine({
    T: callbackTask('hold', { Next: 'W' }),
    W: { Type: 'Wait', Seconds: 10, End: true },
  });

  it('still accepts its task tokens (guide: Wait for a Callback with Task Token)', async () => {
    const dir = await newDir();
    const effects: Effects = new Map();
    const first = await engineOn(dir, effects, holding);
    await start(first.engine);
    await reached(first.engine, 'TaskSubmitted');
    await first.engine.close();
    const second = await engineOn(dir, effects, holding);
    const [token] = [...effects.values()] as string[];
    await second.engine.succeedTask(token!, { answered: true });
    expect((await second.engine.ended(arn)).output).toBe('{"answered":true}');
    expect(effects.size).toBe(1);
  });

  it('has all that the server had acknowledged, even if the disk is slow', async () => {
    const effects: Effects = new Map();
    const dir = await newDir();
    const { engine } = await engineOn(dir, effects, holding, standingClock(0));
    const crashed = async () => {
      const copy = await newDir();
      await cp(dir, copy, { recursive: true });
      return (await engineOn(copy, effects, holding)).engine;
    };
    await start(engine);
    await reached(engine, 'TaskSubmitted');
    const [token] = [...effects.values()] as string[];
    const handle = await open(import.meta.filename);
    const { appendFile } = handle;
    await handle.close();
    const slow = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'appendFile');
    slow.mockImplementation(async function (this: typeof handle, ...data) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return appendFile.apply(this, data);
    });
    await engine.succeedTask(token!, 'told once');
    const events = await (await crashed()).history(arn);
    expect(events.map(({ type }) => type)).toContain('TaskSucceeded');
    await start(engine, 'two');
    expect((await crashed()).list(machineArn('m')).map(({ name }) => name)).toContain('two');
  });

  it('still waits for executions that it started, in any order of continuation (guide: Start from a running execution)', async () => {
    const definition = machine({
      Which: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.isInner %}', Next: 'Rest' }],
        Default: 'Start',
      },
      Rest: { Type: 'Wait', Seconds: 10, Output: 'rested', End: true },
      Start: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution.sync:2',
        Arguments: { StateMachineArn: machineArn('m'), Input: { isInner: true } },
        Output: '{% $states.result.Output %}',
        End: true,
      },
    });
    const dir = await newDir();
    const first = await engineOn(dir, new Map(), definition, standingClock(0));
    const arns: string[] = [];
    // In which order a directory gives its files is not known: of eight pairs, some come either way.
    for (let name = 0; name < 8; name += 1) {
      arns.push((await start(first.engine, `outer-${name}`, { isInner: false })).arn);
    }
    for (const outer of arns) await reached(first.engine, 'TaskSubmitted', outer);
    await first.engine.close();
    const second = await engineOn(dir, new Map(), definition);
    for (const outer of arns)
      expect(await second.engine.ended(outer)).toMatchObject({ status: 'SUCCEEDED', output: '"rested"' });
  });

  it('can still be read with its history after its end', async () => {
    const definition = machine({ F: { Type: 'Fail', Error: 'E', Cause: 'C' } });
    const dir = await newDir();
    const first = await engineOn(dir, new Map(), definition);
    await start(first.engine, 'one', [1]);
    const description = await first.engine.ended(arn);
    const history = await first.engine.history(arn);
    await first.engine.close();
    const second = await engineOn(dir, new Map(), definition);
    expect(await second.engine.describe(arn)).toEqual(description);
    expect(await second.engine.history(arn)).toEqual(history);
    expect(second.engine.list(machineArn('m'))).toMatchObject([{ arn, status: 'FAILED' }]);
  });
});

/** The effects of the tasks that these records know; what was in flight may or may not have happened, so it had not. */
function effectsSoFar(all: Effects, records: JournalRecord[]): Effects {
  const answered = new Set<string>();
  const open = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'schedule') open.set(record.scope, record.task.idempotencyKey);
    if (record.kind === 'succeed' || record.kind === 'fail' || record.kind === 'submit')
      answered.add(open.get(record.scope) ?? '');
  }
  return new Map([...all].filter(([key]) => answered.has(key)));
}

/** A worker that had a token when the server crashed still works, and answers now. */
async function answerOpenTokens(engine: Engine, records: JournalRecord[]): Promise<void> {
  const tokens = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'schedule' && record.task.token) tokens.set(record.scope, record.task.token);
    if (record.kind === 'succeed') tokens.delete(record.scope);
  }
  for (const token of tokens.values()) await engine.succeedTask(token, 'called back');
}

/** A clock that does not go on. */
function standingClock(at: number): Clock {
  return {
    now: () => at,
    until: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Cancelled()), { once: true });
      }),
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

it('removes executions 30 days after their end, at the start of an engine and while it runs', async () => {
  const dir = await newDir();
  const definition = checkedDefinition('m', machine({ Only: { Type: 'Pass', End: true } }));
  const left = async () => (await readdir(join(dir, 'executions'))).length;
  const day = 86_400_000;
  let now = Date.UTC(2026, 0, 1);
  const clock = { ...skippingClock(now), now: () => now };
  const { engine } = await engineOn(dir, new Map(), definition, clock);
  const runOne = async (name: string, on = engine) => on.ended((await start(on, name)).arn);
  await runOne('old');
  now += 29 * day;
  await runOne('recent');
  expect(await left()).toBe(2);
  now += 2 * day;
  await runOne('new');
  await expect.poll(left).toBe(2);
  await expect(engine.describe(arn.replace(/one$/, 'old'))).rejects.toThrow('Does Not Exist');
  await engine.close();
  now += 29 * day;
  await engineOn(dir, new Map(), definition, clock);
  expect(await left()).toBe(1);
});
