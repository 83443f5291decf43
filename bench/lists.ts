/**
 * Measures the time of a page of `GET /v1/assets` for tenants with few and with many assets. Runs the shipped bundle on
 * a DynamoDB engine in memory that contains all the tenants.
 *
 *     npm run bench -- lists                    1,000, 10,000 and 100,000 assets
 *     ASSETS=1000000 npm run bench -- lists     also a million: some minutes, and 4 GiB of memory
 */

import type { HttpEvent, HttpReply } from '../platform/kernel/http.ts';
import { asTenantId } from '../shared/tenant.ts';
import { type LambdaEnvironment, lambdaEnvironment } from '../test/support/environment.ts';
import { httpEvent } from '../test/support/http-event.ts';
import { bundleFile } from '../toolchain/bundle/paths.ts';
import { bundle } from '../toolchain/bundle.ts';
import { english, seedAssets } from './lists/seed.ts';
import { median, type Report, type Row, shuffled } from './report.ts';

const ROUNDS = 25;
/** A sample is the mean of all calls in this time, at least one. */
const SAMPLE_MS = 30;
/** If the same measurement differs by more than this share, the run is void. */
const TOLERANCE = 0.03;

type Query = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly query: Query;
  /** Whether the request has a cursor that leads to the middle of the list. */
  readonly fromMiddle?: boolean;
  /** The share of the assets that pass the filters. */
  readonly share: number;
}

const language = { language_id: english };
const two = { ...language, sentiment: 'Positive' };
const sparse = { ...language, classification: 'sport' };

const cases: readonly Case[] = [
  { name: 'first page', query: {}, share: 1 },
  { name: 'page=500&items=2', query: { page: '500', items: '2' }, share: 1 },
  { name: 'page=500', query: { page: '500' }, share: 1 },
  { name: 'by cursor, in the middle', query: {}, fromMiddle: true, share: 1 },
  { name: 'by cursor again (A/A)', query: {}, fromMiddle: true, share: 1 },
  { name: 'one filter (1 of 2 assets)', query: language, share: 1 / 2 },
  { name: 'one filter, by cursor', query: language, fromMiddle: true, share: 1 / 2 },
  { name: 'two filters (1 of 2, 1 of 3)', query: two, share: 1 / 6 },
  { name: 'two filters, by cursor', query: two, fromMiddle: true, share: 1 / 6 },
  { name: 'two filters (1 of 2, 1 of 100)', query: sparse, share: 1 / 100 },
  { name: 'two filters (1 of 2, 1 of 100), by cursor', query: sparse, fromMiddle: true, share: 1 / 100 },
];

/** A tenant with this many assets. */
interface Library {
  readonly size: number;
  readonly list: (query: Query) => Promise<Page>;
}

interface Page {
  readonly data: readonly object[];
  readonly next_cursor: string | null;
}

export async function run(): Promise<Report> {
  const { ASSETS } = process.env;
  const sizes = [1_000, 10_000, 100_000, ...(ASSETS === undefined ? [] : [Number(ASSETS)])];
  await bundle();
  const environment = await lambdaEnvironment();
  const restore = silence();
  try {
    const libraries: Library[] = [];
    for (const size of sizes) libraries.push(await library(environment, size));
    return report(sizes, await measure(libraries));
  } finally {
    restore();
    await environment.close();
  }
}

/** Suppresses the log line of each request. */
function silence(): () => void {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  return () => {
    process.stdout.write = write;
  };
}

async function library({ client, newKey }: LambdaEnvironment, size: number): Promise<Library> {
  const name = `library-${size}`;
  const { text: key } = await newKey(name);
  await seedAssets(client, asTenantId(name), size, (written) => {
    if (written % 10_000 === 0 || written === size) process.stderr.write(`\r${written} of ${size} assets `);
  });
  process.stderr.write('\n');
  // Imports the module after the environment is set, because it reads the environment when it is loaded.
  const { handler } = (await import(bundleFile('Assets'))) as { handler: Handler };
  return { size, list: (query) => list(handler, key, query) };
}

type Handler = (event: HttpEvent, context: object) => Promise<HttpReply>;

async function list(handler: Handler, key: string, query: Query): Promise<Page> {
  const headers = { authorization: `Bearer ${key}` };
  const reply = await handler(httpEvent({ route: 'GET /v1/assets', headers, query }), {});
  if (reply.statusCode !== 200) throw new Error(`The list answered ${reply.statusCode} ${reply.body}`);
  return JSON.parse(reply.body) as Page;
}

/** Milliseconds by case and size. Each round takes one sample of each, in random order. The first round only warms up. */
async function measure(libraries: readonly Library[]): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>();
  const calls: { name: string; call: () => Promise<Page> }[] = [];
  for (const library of libraries) {
    for (const one of cases) {
      const query = await queryOf(one, library);
      if (query === null) continue;
      const name = nameOf(one, library.size);
      samples.set(name, []);
      calls.push({ name, call: () => library.list(query) });
    }
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`\rround ${round} of ${ROUNDS} `);
    for (const { name, call } of shuffled(calls)) {
      const milliseconds = await timeOf(call);
      if (round > 0) samples.get(name)!.push(milliseconds);
    }
  }
  process.stderr.write('\n');
  return samples;
}

async function timeOf(call: () => Promise<Page>): Promise<number> {
  const started = performance.now();
  for (let calls = 1; ; calls += 1) {
    const { data } = await call();
    if (data.length === 0) throw new Error('A page that should be full is empty');
    const elapsed = performance.now() - started;
    if (elapsed >= SAMPLE_MS) return elapsed / calls;
  }
}

/** Null if the list ends before that page. */
async function queryOf({ query, fromMiddle, share }: Case, { size, list }: Library): Promise<Query | null> {
  const items = Number(query.items ?? 16);
  if (!fromMiddle) return (Number(query.page ?? 1) - 1) * items < size * share ? query : null;
  const middle = Math.max(1, Math.floor((size * share) / items / 2));
  const { next_cursor } = await list({ ...query, page: String(middle) });
  return next_cursor === null ? null : { ...query, cursor: next_cursor };
}

const nameOf = ({ name }: Case, size: number) => `${name}, ${size}`;

function report(sizes: readonly number[], samples: Map<string, number[]>): Report {
  const rows = cases.map((one): Row => {
    const medians = sizes
      .map((size) => samples.get(nameOf(one, size)))
      .map((taken) => taken && median(taken));
    return { name: one.name, values: medians.map((ms) => (ms === undefined ? '–' : ms.toFixed(1))) };
  });
  return {
    title: 'Pages of assets',
    method:
      'The shipped bundle of `GET /v1/assets` in this process, authentication and validation included, over ' +
      'dynoxide in memory, which holds all tenants at once; 16 items a page unless told otherwise; medians of ' +
      `${ROUNDS} rounds in shuffled order. By cursor a page reads itself and nothing else. Without one it also ` +
      'finds the total, exact up to 10,000: that is what grows until the list, or that of a filter, holds 10,000 ' +
      'entries, and no more from there. With no filter or one, the table counts; where filters are combined, the ' +
      'entries of each have to be read, up to 10,000 a filter. A dash: the list ends before that page.',
    columns: sizes.map((size) => `${size.toLocaleString('en')} assets, ms`),
    rows,
    void: deviation(sizes, samples),
  };
}

/** Reports whether the control differed from itself, over all sizes. */
function deviation(sizes: readonly number[], samples: Map<string, number[]>): string | null {
  const [one, other] = cases
    .filter(({ name }) => name.startsWith('by cursor'))
    .map((each) => sizes.map((size) => samples.get(nameOf(each, size))!));
  const ratios = one!.flatMap((taken, at) => taken.map((ms, round) => ms / other![at]![round]!));
  const share = Math.abs(median(ratios) - 1);
  return share <= TOLERANCE ? null : `The same page differed from itself by ${(share * 100).toFixed(1)} %.`;
}

if (import.meta.main) console.log(JSON.stringify(await run(), null, 2));
