/** Makes the table of a soak, and finds the reasons why its figures do not count. */
import type { Kind } from '../processes.ts';
import type { Report, Row } from '../report.ts';
import type { Called, Calls } from './calls.ts';
import { countOf, openFiles, rssOf, type Sample } from './measure.ts';
import { floors, type Growth, growthOf, type Point } from './trend.ts';

/** Bytes of the live heap; null if it could not be measured. */
export type Heaps = Readonly<Record<'cloud' | 'S3', number | null>>;

export interface Soaked {
  readonly minutes: number;
  /** Start of the soak, milliseconds since the epoch. */
  readonly from: number;
  readonly calls: Calls;
  readonly samples: readonly Sample[];
  /** Live heaps after a sixth of the time, and at the end. */
  readonly heaps: { readonly warm: Heaps; readonly end: Heaps };
  /** The sample after all lives had ended. */
  readonly end: Sample;
  readonly left: readonly string[];
  /** The number of events that no webhook received. */
  readonly missing: number;
}

/** Allowed growth of memory and of open files in half an hour, as a fraction. */
const TOLERANCE = 0.05;
/**
 * Growth in half an hour that is always allowed, in MB or in files. A small process or a pool of functions varies this
 * much.
 */
const LEAST = { memory: 4, files: 15 };
const MINUTE_MS = 60_000;
const MB = 1e6;
/** Kinds of processes that live as long as the cloud. */
const lasting: readonly Kind[] = ['cloud', 'S3', 'DynamoDB'];

const series = (samples: readonly Sample[], value: (one: Sample) => number): Point[] =>
  samples.map((one) => ({ at: one.at, value: value(one) }));
const meanFunction = (one: Sample) => rssOf(one, 'functions') / Math.max(1, countOf(one, 'functions')) / MB;

interface Measured extends Growth {
  readonly name: string;
  /** Growth in half an hour that is always allowed; null if growth is not judged. */
  readonly least: number | null;
}

/** Leaves out the first sixth: in this time, functions start, and tables and caches fill. */
function measured({ samples }: Soaked): Measured[] {
  const warm = samples.slice(Math.floor(samples.length / 6));
  const grown = (name: string, least: number | null, value: (one: Sample) => number): Measured => ({
    ...growthOf(floors(series(warm, value), MINUTE_MS)),
    name,
    least,
  });
  return [
    ...lasting.map((kind) => {
      // Node processes are judged by their live heap, because the time of garbage collection and the return of memory
      // to the system vary.
      const least = kind === 'DynamoDB' ? LEAST.memory : null;
      return grown(`memory of ${kind}, MB`, least, (one) => rssOf(one, kind) / MB);
    }),
    grown('memory of a function, MB', LEAST.memory, meanFunction),
    grown('processes of functions', null, (one) => countOf(one, 'functions')),
    grown('memory of all processes, MB', null, (one) => rssOf(one) / MB),
    ...lasting.map((kind) => grown(`open files of ${kind}`, LEAST.files, (one) => openFiles(one, kind))),
  ];
}

export function reportOf(soaked: Soaked): Report {
  const { minutes, calls, samples, end, left, missing } = soaked;
  const growths = measured(soaked);
  const plain = (name: string, value: number | string): Row => ({ name, values: [value, '', '', ''] });
  const most = Math.max(...samples.map(({ bytes }) => bytes.temporary));
  return {
    title: `${minutes} minutes of mixed load`,
    method:
      `A local cloud of its own in a temporary folder, and three tenants for ${minutes} minutes: of each one asset after another (uploaded in ` +
      'parts, processed, read, edited, translated, spoken, cut into a clip, downloaded, deleted; others of sound or picture alone, of text that ' +
      'is not media, canceled, deleted while their jobs go on, never finished), and a reader of lists, each with requests that must be ' +
      'rejected; one webhook per tenant. Memory is resident memory each ten seconds, its floor each minute; the first sixth of the time is ' +
      'left out, thirds are of the rest, and growth is the slope of the least squares of its second half. Live heaps are those of Node, asked of its ' +
      'inspector behind a collection. It counts where no answer was ' +
      `unexpected, nothing is left in tables, bucket and executor, and memory and open files grow by less than ${TOLERANCE * 100} % in half an hour, or ${LEAST.memory} MB and ${LEAST.files} files where that is more.`,
    columns: ['mean or count', 'first third', 'last third', '% in half an hour'],
    rows: [
      plain('requests', calls.all.length),
      plain('of them refused on purpose', calls.refusedOnPurpose),
      plain('errors', calls.faultCount),
      ...[...calls.jobs].sort().map(([name, count]) => plain(`jobs: ${name}`, count)),
      plain('events that no webhook heard of', missing),
      plain('left in tables, bucket, executor', left.length),
      ...latencies(calls.all, soaked.from, minutes),
      ...heapKinds.map((kind) => heapRow(kind, soaked.heaps)),
      ...growths.map(rowOf),
      plain('temporary files, MB at most', (most / MB).toFixed(1)),
      plain('temporary files at the end, MB', (end.bytes.temporary / MB).toFixed(1)),
      plain('tables at the end, MB', (end.bytes.tables / MB).toFixed(1)),
      plain('bucket at the end, MB', (end.bytes.bucket / MB).toFixed(1)),
    ],
    void: faultOf(soaked, growths),
  };
}

const rowOf = ({ name, mean, first, last, share }: Measured): Row => ({
  name,
  values: [...[mean, first, last].map((value) => value.toFixed(1)), (share * 100).toFixed(1)],
});

const heapKinds = ['cloud', 'S3'] as const;

const heapRow = (kind: keyof Heaps, { warm, end }: Soaked['heaps']): Row => {
  const shown = (bytes: number | null) => (bytes === null ? '–' : (bytes / MB).toFixed(1));
  return {
    name: `live heap of ${kind}, warm and at the end, MB`,
    values: ['', shown(warm[kind]), shown(end[kind]), ''],
  };
};

/** Whether the heap is larger at the end than after the warm-up. */
function hasGrown(kind: keyof Heaps, { warm, end }: Soaked['heaps']): boolean {
  const more = (end[kind] ?? 0) - (warm[kind] ?? 0);
  return (
    warm[kind] === null || end[kind] === null || more > Math.max(LEAST.memory * MB, TOLERANCE * warm[kind])
  );
}

function latencies(all: readonly Called[], from: number, minutes: number): Row[] {
  const thirdMs = (minutes * MINUTE_MS) / 3;
  const third = (nth: number) =>
    all.filter(({ at }) => at >= from + nth * thirdMs && at < from + (nth + 1) * thirdMs);
  return [0.5, 0.99].map((share) => ({
    name: `latency, p${share * 100}, ms`,
    values: [...[all, third(0), third(2)].map((some) => percentile(some, share).toFixed(0)), ''],
  }));
}

function percentile(some: readonly Called[], share: number): number {
  const sorted = some.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function faultOf({ calls, left, missing, heaps }: Soaked, growths: readonly Measured[]): string | null {
  const grown = growths.filter(
    ({ least, share, perHour }) => least !== null && share > TOLERANCE && perHour / 2 > least,
  );
  const faults = [
    ...(calls.faultCount > 0 ? [`${calls.faultCount} errors:`, ...calls.faults] : []),
    ...(missing > 0 ? [`${missing} events did not reach a webhook.`] : []),
    ...(left.length > 0 ? ['Left behind:', ...left] : []),
    ...heapKinds.filter((kind) => hasGrown(kind, heaps)).map((kind) => `The live heap of ${kind} grows.`),
    ...grown.map(({ name, share }) => `${name}: ${(share * 100).toFixed(1)} % more in half an hour.`),
  ];
  return faults.length === 0 ? null : faults.join('\n');
}
