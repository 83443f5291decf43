/** Runs a machine once with its faults, from the request until no work is left. Returns the broken rules. */
import type { Answer, Tenant } from '../support/api.ts';
import type { Between } from './executor.ts';
import { type Fault, type Hands, withFault } from './faults.ts';
import { type Ended, lived } from './lives.ts';
import { jobsIn, type Run, type Undisturbed, violationsOf } from './rules.ts';
import type { Begun, Scenario } from './scenarios.ts';
import type { Snapshot } from './snapshot.ts';
import type { World } from './world.ts';

export interface Outcome {
  readonly violations: readonly string[];
  /** Whether every fault happened. A step that the run did not reach cannot die. */
  readonly struck: boolean;
  /** The status of the job; null if no job exists. */
  readonly status: string | null;
}

export const START = 'start';

/** The maximum number of sweeps until no work is left. A sweep restarts settling every ten minutes. */
const SWEEPS = 8;
const ABANDONED_MS = 61_000;
const SETTLE_EVERY_MS = 601_000;

export async function undisturbed(scenario: Scenario, world: World): Promise<Undisturbed> {
  const { before, after, writes } = await run(scenario, [], world);
  const [job] = jobsIn(after);
  const isWell = !scenario.isJob || job?.status === 'succeeded';
  if (!isWell)
    throw new Error(`${scenario.name} ends ${job?.status}: ${JSON.stringify(job?.error ?? job?.items)}`);
  return { before, after, writes };
}

export async function crashed(
  scenario: Scenario,
  faults: readonly Fault[],
  base: Undisturbed,
  world: World,
): Promise<Outcome> {
  const done = await run(scenario, faults, world);
  const violations = violationsOf({ ...done, isJob: scenario.isJob, undisturbed: base });
  const [job] = jobsIn(done.after);
  return { violations, struck: done.struck.size === faults.length, status: job?.status ?? null };
}

interface Done extends Omit<Run, 'undisturbed' | 'isJob'> {
  readonly writes: ReadonlyMap<string, number>;
  readonly struck: ReadonlySet<Fault>;
}

async function run(scenario: Scenario, faults: readonly Fault[], world: World): Promise<Done> {
  const { executor } = world;
  const writes = new Map<string, number>();
  const struck = new Set<Fault>();
  try {
    executor.during(async (invocation) => (await invocation.run()).reply);
    const tenant = await world.newTenant();
    const begun = await scenario.prepare(tenant, world);
    await executor.quiet();
    const before = await world.snapshot(tenant);
    const hands = handsOn(tenant, begun, world);
    const between: Between = async (invocation) => {
      const { step, nth } = invocation;
      const fault = faults.find((one) => one.step === step && (nth === 0 || one.act === 'dies each time'));
      if (fault !== undefined) {
        struck.add(fault);
        return withFault(invocation, fault, hands);
      }
      const { reply, writes: begunWrites } = await invocation.run();
      writes.set(step, Math.max(writes.get(step) ?? 0, begunWrites));
      return reply;
    };
    executor.during(between);
    const start = faults.find(({ step }) => step === START);
    if (start !== undefined) struck.add(start);
    // The machine waits for the request.
    const asked = await executor.while(() => ask(begun, start, world));
    writes.set(START, asked.writes);
    await executor.quiet(world.sweep);
    const after = await settled(tenant, world);
    return {
      ...{ before, after, writes, struck },
      isAnswered: asked.isAnswered,
      ownerId: begun.owner.split('/').at(-1) || null,
      isGone:
        hands.isRemoved() || (scenario.machine === 'DeleteAsset' && (asked.isAnswered || isGoing(after))),
      isPartial: faults.some(({ act }) => act === 'dies each time' || act === 'execution ends'),
      running: executor.executions(),
    };
  } finally {
    await executor.quiet();
    await world.empty();
  }
}

/** Waits for the executions that the sweep started. */
async function settled(tenant: Tenant, world: World): Promise<Snapshot> {
  const { executor } = world;
  for (let turn = 0; turn < SWEEPS; turn += 1) {
    const snapshot = await world.snapshot(tenant);
    if (snapshot.announced.length === 0) return snapshot;
    executor.clock.skip(turn === 0 ? ABANDONED_MS : SETTLE_EVERY_MS);
    await world.sweep();
    await executor.quiet(world.sweep);
  }
  return world.snapshot(tenant);
}

interface Asked {
  readonly writes: number;
  readonly isAnswered: boolean;
}

/** The asset, if a deletion was requested without a response. */
const isGoing = ({ items }: Snapshot) => {
  const asset = items.find(({ pk, sk }) => pk.startsWith('A#') && sk === 'META');
  return asset === undefined || asset.status === 'deleting';
};

/** Sends the request with its faults. Without a response, the sender retries, unless the request dies on every attempt. */
async function ask({ ask }: Begun, fault: Fault | undefined, world: World): Promise<Asked> {
  const isWell = (answer: Answer) => answer.status < 300;
  if (fault?.act === 'comes twice at once') {
    const answers = await Promise.all([ask(), ask()]);
    return { writes: 0, isAnswered: answers.some(isWell) };
  }
  const at = fault?.place === 'within' ? fault.write : 0;
  const { ended, writes } = await lived(ask, at, async (go, life) => {
    if (fault!.act === 'dies behind a write') await go();
    return life.die();
  });
  if (fault === undefined || fault.act === 'dies each time') {
    return { writes, isAnswered: isAnsweredBy(ended, isWell) };
  }
  // By then, the lock of the first request has expired.
  world.executor.clock.skip(ABANDONED_MS);
  return { writes, isAnswered: isWell(await ask()) };
}

const isAnsweredBy = (ended: Ended<Answer>, isWell: (answer: Answer) => boolean) =>
  'result' in ended && isWell(ended.result);

function handsOn(tenant: Tenant, { owner }: Begun, world: World): Hands & { isRemoved(): boolean } {
  let isRemoved = false;
  return {
    executor: world.executor,
    isRemoved: () => isRemoved,
    hear: world.hear,
    async cancel() {
      const { data } = (await tenant.call('GET', '/v1/jobs')).json;
      for (const { job_id } of data) await tenant.call('POST', `/v1/jobs/${job_id}/cancel`);
    },
    async remove() {
      const { status, text } = await tenant.call('DELETE', owner);
      if (status >= 300) throw new Error(`Not deleted: ${status} ${text}`);
      isRemoved = true;
    },
    async sweep() {
      world.executor.clock.skip(ABANDONED_MS);
      await world.sweep();
    },
  };
}
