/** Measures the cost of editing, showing and checking a transcription of 10,000 segments, compared with shorter ones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '../local/s3/server.ts';
import type { HttpEvent, HttpReply } from '../platform/kernel/http.ts';
import { asTenantId } from '../shared/tenant.ts';
import { lambdaEnvironment } from '../test/support/environment.ts';
import { httpEvent } from '../test/support/http-event.ts';
import { bundleFile } from '../toolchain/bundle/paths.ts';
import { bundle } from '../toolchain/bundle.ts';
import { median, type Report, type Row, shuffled } from './report.ts';
import { type Seeded, seedTranscription } from './transcripts/seed.ts';

const sizes = [1_000, 3_000, 10_000];
const ROUNDS = 15;
/** If the control deviates from itself by more than this, the run is void. */
const TOLERANCE = 0.05;
/** The most segments in a bulk edit. */
const BULK = 1_000;

type Handler = (event: HttpEvent, context: object) => Promise<HttpReply>;

interface Case {
  readonly name: string;
  readonly lambda: 'Transcriptions' | 'Segments';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Whether the path contains the id of the edited segment. */
  readonly isOfSegment?: true;
  /** The body of the request in a round. Every edit makes a new version. */
  readonly body?: (transcription: Seeded, round: number) => object;
}

const place = '/v1/assets/{asset_id}/transcriptions/{transcription_id}';
const edited = (round: number) => `This sentence was written anew in round ${round}.`;
const bulkEdit = (count: number) => (transcription: Seeded, round: number) => ({
  segments: Array.from({ length: count }, (_, nth) => ({
    id: transcription.segment_ids[Math.floor((nth * transcription.size) / count)]!,
    text: edited(round),
  })),
});

const cases: readonly Case[] = [
  {
    name: 'PATCH of one segment',
    lambda: 'Segments',
    route: `PATCH ${place}/segments/{segment_id}`,
    isOfSegment: true,
    body: (_, round) => ({ text: edited(round) }),
  },
  {
    name: 'PATCH of a tenth of the segments',
    lambda: 'Segments',
    route: `PATCH ${place}/segments`,
    body: (transcription, round) => bulkEdit(Math.min(transcription.size / 10, BULK))(transcription, round),
  },
  { name: 'GET …/vtt', lambda: 'Transcriptions', route: `GET ${place}/vtt` },
  { name: 'GET …/vtt again (A/A)', lambda: 'Transcriptions', route: `GET ${place}/vtt` },
  { name: 'GET …/srt', lambda: 'Transcriptions', route: `GET ${place}/srt` },
  { name: 'GET …/stl', lambda: 'Transcriptions', route: `GET ${place}/stl` },
  {
    name: 'GET …/qc?profile=broadcast',
    lambda: 'Transcriptions',
    route: `GET ${place}/qc`,
    query: { profile: 'broadcast' },
  },
];

export async function run(): Promise<Report> {
  await bundle();
  const folder = await mkdtemp(join(tmpdir(), 'kinora-bench-'));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const s3 = await startS3({
    ...{ dir: folder, port: 0, region: 'us-east-1', credentials },
    buckets: [{ name: 'media' }],
  });
  const environment = await lambdaEnvironment({ AWS_ENDPOINT_URL_S3: s3.url });
  const restore = silence();
  try {
    const tenant = asTenantId('bench');
    const { text: key } = await environment.newKey(tenant);
    const transcriptions: Seeded[] = [];
    for (const size of sizes) transcriptions.push(await seedTranscription(environment.client, tenant, size));
    return report(await measure(transcriptions, key));
  } finally {
    restore();
    await environment.close();
    await s3.close();
    await rm(folder, { recursive: true });
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

/**
 * Milliseconds of processor time by case and size. Each round takes one sample of each, in random order. The first
 * round only warms up.
 */
async function measure(transcriptions: readonly Seeded[], key: string): Promise<Map<string, number[]>> {
  const handlers = {
    Transcriptions: await handlerOf('Transcriptions'),
    Segments: await handlerOf('Segments'),
  };
  const calls = cases.flatMap((one) => transcriptions.map((transcription) => ({ one, transcription })));
  const samples = new Map(
    calls.map(({ one, transcription }) => [nameOf(one, transcription.size), [] as number[]]),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`\rround ${round} of ${ROUNDS} `);
    for (const { one, transcription } of shuffled(calls)) {
      const event = eventOf(one, transcription, key, round);
      const began = process.cpuUsage();
      const { statusCode, body } = await handlers[one.lambda](event, {});
      const { user, system } = process.cpuUsage(began);
      if (statusCode !== 200) throw new Error(`${one.name} answered ${statusCode} ${body}`);
      if (round > 0) samples.get(nameOf(one, transcription.size))!.push((user + system) / 1000);
    }
  }
  process.stderr.write('\n');
  return samples;
}

/** Imports the module after the environment is set, because it reads the environment when it is loaded. */
const handlerOf = async (name: string) => ((await import(bundleFile(name))) as { handler: Handler }).handler;

function eventOf(one: Case, transcription: Seeded, key: string, round: number): HttpEvent {
  const { asset_id, transcription_id, segment_ids } = transcription;
  const segment_id = segment_ids[(round * 37) % transcription.size]!;
  return httpEvent({
    route: one.route,
    params: { asset_id, transcription_id, ...(one.isOfSegment && { segment_id }) },
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    ...(one.query && { query: one.query }),
    ...(one.body && { body: one.body(transcription, round) }),
  });
}

const nameOf = ({ name }: Case, size: number) => `${name}, ${size}`;

function report(samples: Map<string, number[]>): Report {
  const mediansOf = (one: Case) => sizes.map((size) => median(samples.get(nameOf(one, size))!));
  return {
    title: 'Long transcriptions',
    method:
      'The shipped bundles of the API in this process, authentication, validation and gzip included, over dynoxide and ' +
      'the local S3 server, whose work in this process counts; milliseconds of a processor (not of the clock), medians of ' +
      `${ROUNDS} rounds in shuffled order. Segments have nine to eleven words with their times, 3.6 s each: 10,000 are ten hours. The ` +
      'last column is the time a segment of the longest by that of the shortest: 1 is linear, less is better.',
    columns: [...sizes.map((size) => `${size.toLocaleString('en')}, ms`), 'a segment'],
    rows: cases.map((one): Row => {
      const medians = mediansOf(one);
      const growth = (medians.at(-1)! / medians[0]!) * (sizes[0]! / sizes.at(-1)!);
      return { name: one.name, values: [...medians.map((ms) => ms.toFixed(0)), growth.toFixed(2)] };
    }),
    void: deviation(samples),
  };
}

/** Reports whether the control differed from itself, over all sizes. */
function deviation(samples: Map<string, number[]>): string | null {
  const [one, other] = cases
    .filter(({ name }) => name.startsWith('GET …/vtt'))
    .map((each) => sizes.map((size) => samples.get(nameOf(each, size))!));
  const ratios = one!.flatMap((taken, at) => taken.map((ms, round) => ms / other![at]![round]!));
  const share = Math.abs(median(ratios) - 1);
  return share <= TOLERANCE ? null : `The same answer differed from itself by ${(share * 100).toFixed(1)} %.`;
}

if (import.meta.main) console.log(JSON.stringify(await run(), null, 2));
