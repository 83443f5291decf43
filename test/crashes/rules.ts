/** The rules after every crash: no lost job, no doubled effect, no doubled usage, no leftovers. */
import { counted, type Item, type Snapshot, shapeOf } from './snapshot.ts';

/** The result of a run without faults. */
export interface Undisturbed {
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The number of writes per step, by name. `start` is the request. */
  readonly writes: ReadonlyMap<string, number>;
}

export interface Run {
  readonly isJob: boolean;
  readonly ownerId: string | null;
  /** Whether the resource was deleted, or its deletion was requested. */
  readonly isGone: boolean;
  /** Whether a step died on every attempt. The job may then produce less than requested. */
  readonly isPartial: boolean;
  /** Whether the request succeeded. */
  readonly isAnswered: boolean;
  readonly undisturbed: Undisturbed;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly running: readonly { machine: string; name: string; status: string }[];
}

type Rule = (run: Run) => string[];

const terminal = ['succeeded', 'partially_succeeded', 'failed', 'canceled'];

/** Files that are kept for the next job, which reuses them: docs/decisions/0044 and 0052. */
const forTheNextJob = /\/derived\/(?:speech|clips|clip_source)\//;

/** Includes the file that a storage holds completely when its export is canceled (docs/exports.md). */
const forWhoeverCanceled = /\/derived\/clip_source\/|^archive\//;

const isJobItem = ({ sk, type }: Item) => sk.startsWith('JOB#') && type !== undefined;
export const jobsIn = ({ items }: Snapshot) => items.filter(isJobItem);
const events = ({ items }: Snapshot) => items.filter(({ pk }) => pk === 'EV');
const isCounter = ({ pk, sk }: Item) => pk.startsWith('USE#') && !sk.startsWith('EV#');

const isReceipt = ({ pk }: Item) => pk.startsWith('RECEIPT#');

/** Results besides the accounts: turns of deliveries, events, usage, receipts, and the job itself. */
const isEffect = ({ pk, sk }: Item) =>
  !/^(?:DELIVERIES$|EV$|USE#|RECEIPT#|IX#jobs)/.test(pk) && !sk.startsWith('JOB#');

/** A job delivers as many events as its course has. `eventsOnce` checks them. */
const isDelivery = ({ pk }: Item) => pk.startsWith('WH#');

const shapes = (items: readonly Item[]) => counted(items.map(({ pk, sk }) => shapeOf(`${pk} ${sk}`)));
const keys = (objects: readonly string[]) =>
  counted(objects.map((key) => shapeOf(key.replace(/crash-\d+/, 'T'))));

function differences(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...found.filter((one) => !wanted.includes(one)).map((one) => `${what} too much: ${one}`),
    ...wanted.filter((one) => !found.includes(one)).map((one) => `${what} missing: ${one}`),
  ];
}

/** Parses the count in `a × 2`. */
const countsOf = (list: readonly string[]) =>
  new Map(
    list.map((one) => one.split(' × ') as [string, string]).map(([shape, count]) => [shape, Number(count)]),
  );

/** Entries that occur more often than allowed. */
function excess(
  what: string,
  found: readonly string[],
  ...allowed: readonly (readonly string[])[]
): string[] {
  const most = allowed.map(countsOf);
  return [...countsOf(found)]
    .filter(([shape, count]) => count > Math.max(0, ...most.map((one) => one.get(shape) ?? 0)))
    .map(([shape, count]) => `${what} too much: ${shape} × ${count}`);
}

/** The quantity per meter. */
export const useOf = ({ items }: Snapshot) => sumsOf(items.filter(isCounter));

function sumsOf(items: readonly Item[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { sk, quantity } of items) {
    const meter = sk.split('#')[0]!;
    sums.set(meter, (sums.get(meter) ?? 0) + quantity);
  }
  return sums;
}

function noteworthyUse({ after, before, undisturbed }: Run): string[] {
  const [used, had, most] = [useOf(after), useOf(before), useOf(undisturbed.after)];
  const more = [...used].filter(
    ([meter, quantity]) => quantity > Math.max(most.get(meter) ?? 0, had.get(meter) ?? 0),
  );
  // A month records the changes, and the total records the current amount: one entry of each.
  const stored = after.items.filter(({ sk }) => sk === 'STORED').reduce((sum, { bytes }) => sum + bytes, 0);
  const total = after.items
    .filter(({ pk, sk }) => pk === 'USE#total' && sk.startsWith('stored_bytes'))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const counters = [...used].filter(([meter]) => meter !== 'stored_bytes');
  const announced = new Map<string, number>();
  for (const { pk, sk, quantity } of after.items) {
    if (!pk.startsWith('USE#') || !sk.startsWith('EV#')) continue;
    const meter = sk.slice(sk.lastIndexOf('#') + 1);
    announced.set(meter, (announced.get(meter) ?? 0) + quantity);
  }
  const receipts = sumsOf(after.items.filter(isReceipt));
  return [
    ...[...announced]
      .filter(([meter, quantity]) => receipts.get(meter) !== quantity)
      .map(([meter, quantity]) => `receipts: ${receipts.get(meter)} ${meter}, but events have ${quantity}`),
    ...more.map(
      ([meter, quantity]) => `doubled use: ${quantity} ${meter} instead of ${most.get(meter) ?? 0}`,
    ),
    ...(stored === total ? [] : [`stored bytes: ${total} are metered, but assets have ${stored}`]),
    ...counters
      .filter(([meter, quantity]) => announced.get(meter) !== quantity)
      .map(
        ([meter, quantity]) =>
          `use: ${quantity} ${meter} are counted, but events have ${announced.get(meter)}`,
      ),
  ];
}

const nothingOpen: Rule = ({ after, running }) => [
  ...after.announced.map(({ pk }) => `left open: ${pk.replace(/#.$/, '')}`),
  ...running.filter(({ status }) => status === 'RUNNING').map(({ machine }) => `still runs: ${machine}`),
];

const eventsOnce: Rule = ({ after }) => {
  const announced = events(after).map(
    ({ type, data }) => `${type} ${data.job?.job_id ?? data.asset?.asset_id ?? ''}`,
  );
  const twice = announced.filter((one, at) => announced.indexOf(one) !== at);
  return [...new Set(twice)].map((one) => `announced twice: ${one.split(' ')[0]}`);
};

/**
 * The job ended once, its event was sent once, and the list shows it. No job exists if it was never recorded, or its
 * owner is deleted.
 */
const jobOnce: Rule = ({ isJob, isGone, isAnswered, before, after }) => {
  if (!isJob) return [];
  const known = new Set(jobsIn(before).map(({ job_id }) => job_id));
  const jobs = jobsIn(after).filter(({ job_id }) => !known.has(job_id));
  const created = events(after).filter(({ type }) => type === 'job.created').length;
  const ended = events(after).filter(({ type }) => /^job\.(?!created)/.test(type));
  const announced = ended.map(({ type }) => type.slice('job.'.length));
  if (created === 0) return isAnswered ? ['lost: the job that was answered'] : [];
  const problems = [
    ...(created === 1 ? [] : [`doubled: ${created} jobs`]),
    ...(announced.length === 1 ? [] : [`ended ${announced.length} times: ${announced}`]),
  ];
  if (isGone) return [...problems, ...jobs.map(() => 'left over: the job of what was deleted')];
  return [
    ...problems,
    ...(jobs.length === 1 ? [] : [`${jobs.length} jobs are kept`]),
    ...jobs.flatMap(({ job_id, type, status }) => [
      ...(terminal.includes(status) ? [] : [`never ended: ${status}`]),
      ...(announced[0] === status ? [] : [`is ${status}, but its event says ${announced[0]}`]),
      ...['IX#jobs', `IX#jobs#type#${type}`]
        .filter((list) => !after.items.some(({ pk, sk }) => pk === list && sk === job_id))
        .map((list) => `not listed: ${list}`),
    ]),
  ];
};

/** The status of the asset matches that of its job. */
const ownerAgrees: Rule = ({ after, ownerId, isGone }) => {
  const asset = after.items.find(({ pk, sk }) => pk === `A#${ownerId}` && sk === 'META');
  if (asset === undefined || isGone) return [];
  const job = jobsIn(after).find(({ job_id }) => job_id === asset.ingest_job_id);
  const wanted = job === undefined ? asset.status : /succeeded/.test(job.status) ? 'ready' : 'failed';
  return asset.status === wanted ? [] : [`the asset is ${asset.status} and its job ${job?.status}`];
};

/** All results exist after success, and none after failure. A deleted resource keeps nothing. */
const effects: Rule = (run) => {
  const { isGone, ownerId, before, after, undisturbed, isPartial } = run;
  const made = (snapshot: Snapshot) =>
    shapes(snapshot.items.filter((item) => isEffect(item) && !(run.isJob && isDelivery(item))));
  if (isGone) {
    const ofOwner = after.items.filter(
      ({ pk, sk }) => pk.includes(ownerId!) || (sk === ownerId && pk.startsWith('IX#')),
    );
    const objects = after.objects.filter((key) => key.startsWith('media/') && key.includes(ownerId!));
    return [
      ...shapes(ofOwner).map((one) => `left over: ${one}`),
      ...keys(objects).map((one) => `left over: ${one}`),
      ...keys(after.uploads).map((one) => `unfinished upload: ${one}`),
    ];
  }
  const [job] = jobsIn(after);
  const isDone = !run.isJob || /succeeded/.test(job?.status ?? '');
  if (run.isJob && job === undefined) return excess('effect', made(after), made(before));
  const uploads = keys(after.uploads).map((one) => `unfinished upload: ${one}`);
  if (isDone && !isPartial) {
    return [
      ...uploads,
      ...differences('effect', made(after), made(undisturbed.after)),
      ...differences('object', keys(after.objects), keys(undisturbed.after.objects)),
    ];
  }
  const stored = (snapshot: Snapshot) =>
    snapshot.items.reduce((sum, { sk, bytes }) => sum + (sk === 'STORED' ? bytes : 0), 0);
  const storedMore = !isDone && stored(after) !== stored(before);
  const kept = job?.status === 'canceled' ? forWhoeverCanceled : forTheNextJob;
  const rendered = after.items.filter(({ sk, render }) => sk.startsWith('CLIP#') && render);
  const isNamed = (key: string) =>
    rendered.some(({ video_clip_id }) => key.includes(`/clips/${video_clip_id}/`));
  const objects = keys(after.objects.filter((key) => isDone || !(kept.test(key) || isNamed(key))));
  const mostItems = isDone ? [made(before), made(undisturbed.after)] : [made(before)];
  const mostObjects = isDone
    ? [keys(before.objects), keys(undisturbed.after.objects)]
    : [keys(before.objects)];
  return [
    ...uploads,
    ...(storedMore ? [`${stored(after)} bytes are stored of what came to nothing`] : []),
    ...excess('effect', made(after), ...mostItems),
    ...excess('object', objects, ...mostObjects),
  ];
};

const rules: readonly Rule[] = [nothingOpen, eventsOnce, jobOnce, ownerAgrees, effects, noteworthyUse];

export const violationsOf = (run: Run): string[] => rules.flatMap((rule) => rule(run));
