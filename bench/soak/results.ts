/** Makes the table of a soak, and finds the reasons why its figures do not count. */
import type { Report, Row } from '../report.ts';
import type { Calls } from './calls.ts';
import { countOf, type Kind, type Sample, sumOf } from './measure.ts';
import { floors, type Growth, growthOf } from './trend.ts';

/** Bytes of the live heap; null if it could not be measured. */
export type Heaps = Readonly<Record<'cloud' | 'S3', number | null>>;

interface Soaked {
  readonly minutes: number;
  readonly calls: Calls;
  readonly samples: readonly Sample[];
  /** Live heaps after a sixth of the time, and at the end. */
  readonly heaps: { readonly warm: Heaps; readonly end: Heaps };
  readonly left: readonly string[];
  /** The number of events that no webhook received. */
  readonly missing: number;
}

/** The allowed growth of memory and of open files in half an hour, as a fraction of the start. */
const TOLERANCE = 0.05;
/**
 * Growth in half an hour that is always allowed, in MB or in files. A small process or a pool of functions varies this
 * much.
 */
const LEAST = { memory: 4, files: 15 };
const MINUTE_MS = 60_000;
const MB = 1e6;
/** The kinds of processes that run as long as the cloud. */
const lasting: readonly Kind[] = ['cloud', 'S3', 'DynamoDB'];

const memoryOfFunction = (one: Sample) =>
  sumOf(one, 'functions', 'rss') / Math.max(1, countOf(one, 'functions')) / MB;

interface Measured extends Growth {
  readonly name: string;
  /** Growth in half an hour that is always allowed. */
  readonly least: number;
}

/**
 * Leaves out the first sixth: in this time, functions start, and tables and caches fill. For Node processes, uses the live heap instead of
 * the memory, because garbage collection frees memory at varying times.
 */
function measured(samples: readonly Sample[]): Measured[] {
  const warm = samples.slice(Math.floor(samples.length / 6));
  const grown = (name: string, least: number, value: (one: Sample) => number): Measured => {
    const points = warm.map((one) => ({ at: one.at, value: value(one) }));
    return { ...growthOf(floors(points, MINUTE_MS)), name, least };
  };
  return [
    grown('memory of DynamoDB, MB', LEAST.memory, (one) => sumOf(one, 'DynamoDB', 'rss') / MB),
    grown('memory of a function, MB', LEAST.memory, memoryOfFunction),
    ...lasting.map((kind) =>
      grown(`open files of ${kind}`, LEAST.files, (one) => sumOf(one, kind, 'openFiles')),
    ),
  ];
}

export function reportOf({ minutes, calls, samples, heaps, left, missing }: Soaked): Report {
  const growths = measured(samples);
  const plain = (name: string, value: number | string): Row => ({ name, values: [value, ''] });
  return {
    title: `${minutes} minutes of mixed load`,
    method:
      `A separate local cloud in a temporary folder, and three tenants for ${minutes} minutes. Each tenant has one asset after another: uploaded ` +
      'in parts, processed, read, edited, translated, spoken, cut into a clip, downloaded and deleted. Other assets have only sound or pictures, or ' +
      'text that is not media; they are canceled, deleted during their jobs, or never finished. A reader of lists runs too. All send requests that ' +
      'must be rejected, and each tenant has a webhook. Memory is resident memory every ten seconds, its lowest value each minute. The first sixth of ' +
      'the time is left out. Means and growth (the least-squares slope) are of the second half of the rest. Live heaps of Node come from its inspector ' +
      'after a garbage collection. The run counts if no answer was unexpected and nothing is left in tables, bucket and executor. Memory and open files ' +
      `may grow by ${TOLERANCE * 100} % in half an hour, or by ${LEAST.memory} MB and ${LEAST.files} files if that is more.`,
    columns: ['mean or count', '% in half an hour'],
    rows: [
      plain('requests', calls.latencies.length),
      plain('of them refused on purpose', calls.refusedOnPurpose),
      plain('errors', calls.faultCount),
      ...[...calls.jobs].sort().map(([name, count]) => plain(`jobs: ${name}`, count)),
      plain('events that no webhook heard of', missing),
      plain('left in tables, bucket, executor', left.length),
      ...[0.5, 0.99].map((share) =>
        plain(`latency, p${share * 100}, ms`, percentile(calls.latencies, share).toFixed(0)),
      ),
      ...heapKinds.map((kind) =>
        plain(
          `live heap of ${kind}, warm and at the end, MB`,
          `${inMegabytes(heaps.warm[kind])}, ${inMegabytes(heaps.end[kind])}`,
        ),
      ),
      ...growths.map(({ name, mean, share }) => ({
        name,
        values: [mean.toFixed(1), (share * 100).toFixed(1)],
      })),
    ],
    void: faultOf({ calls, left, missing, heaps }, growths),
  };
}

const heapKinds = ['cloud', 'S3'] as const;
const inMegabytes = (bytes: number | null) => (bytes === null ? '–' : (bytes / MB).toFixed(1));

/** Whether the heap is larger at the end than after the warm-up, or could not be measured. */
function hasGrown(warm: number | null, end: number | null): boolean {
  return warm === null || end === null || end - warm > Math.max(LEAST.memory * MB, TOLERANCE * warm);
}

function percentile(latencies: readonly number[], share: number): number {
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function faultOf(
  { calls, left, missing, heaps }: Pick<Soaked, 'calls' | 'left' | 'missing' | 'heaps'>,
  growths: readonly Measured[],
): string | null {
  const grown = growths.filter(({ least, share, perHalfHour }) => share > TOLERANCE && perHalfHour > least);
  const faults = [
    ...(calls.faultCount > 0 ? [`${calls.faultCount} errors:`, ...calls.faults] : []),
    ...(missing > 0 ? [`${missing} events did not reach a webhook.`] : []),
    ...(left.length > 0 ? ['Left behind:', ...left] : []),
    ...heapKinds
      .filter((kind) => hasGrown(heaps.warm[kind], heaps.end[kind]))
      .map((kind) => `The live heap of ${kind} grows.`),
    ...grown.map(({ name, share }) => `${name}: ${(share * 100).toFixed(1)} % more in half an hour.`),
  ];
  return faults.length === 0 ? null : faults.join('\n');
}
