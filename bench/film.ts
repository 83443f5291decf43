/**
 * Sends an hour of film through a separate local cloud. Measures the time of each state of its ingest, and of the whole
 * ingest.
 */
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { uploadAsset } from '../client/index.ts';
import { ended } from '../test/e2e/support.ts';
import { type LocalCloud, localCloud } from '../test/support/local-cloud.ts';
import { makeTalk } from '../test/support/talk.ts';
import type { Report, Row } from './report.ts';

const MINUTES = Number(process.env.FILM_MINUTES ?? 60);
/** `normal` analyzes one picture a second for faces and text, `turbo` a third of them. */
const MODEL = process.env.FILM_MODEL === 'turbo' ? 'turbo' : 'normal';
/** Shots in the minute of pictures that is repeated. */
const SHOTS = 12;

const execute = promisify(execFile);

export async function run(): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'kinora-film-'));
  const cloud = await localCloud();
  try {
    process.stderr.write(`making a film of ${MINUTES} minutes\n`);
    const film = await makeFilm(dir);
    process.stderr.write('through the local cloud\n');
    const { kinora } = cloud;
    const { asset_id } = await kinora.createAsset({ body: { filename: 'film.mp4', mc_model: MODEL } });
    const started = performance.now();
    const { job_id } = await uploadAsset(kinora, asset_id, await openAsBlob(film));
    let moved = performance.now();
    let still = 0;
    let last = -1;
    const { status } = await ended(cloud, asset_id, job_id, (progress) => {
      if (progress !== last) moved = performance.now();
      last = progress;
      still = Math.max(still, performance.now() - moved);
    });
    const seconds = (performance.now() - started) / 1000;
    const { total } = await kinora.listCameraShoots({ asset_id, items: 1 });
    const states = statesOf(await historyOf(cloud));
    process.stderr.write(`${status}\n`);
    return {
      title: `The ingest of a film of ${MINUTES} minutes, ${MODEL}, stage by stage`,
      method:
        `1,280 × 720 at 25 frames a second, ${SHOTS} shots a minute, with a talk of flite voices as its sound, through a local cloud of ` +
        'its own on two cores. Runs of a state that go on side by side each count whole; a state is under way from its first run until its last.',
      columns: ['runs', 'seconds of its runs', 'under way, s'],
      rows: [
        ...states,
        { name: 'the whole, upload included', values: ['', '', seconds.toFixed(1)] },
        { name: 'of the duration of the film', values: ['', '', (seconds / (MINUTES * 60)).toFixed(2)] },
        { name: 'longest time without progress', values: ['', '', (still / 1000).toFixed(1)] },
        { name: 'shots found', values: [total, '', ''] },
      ],
      void: status === 'succeeded' ? null : `the job ended as ${status}`,
    };
  } finally {
    await cloud.remove();
    await rm(dir, { recursive: true });
  }
}

/** Repeats a minute of pictures, with a talk as sound. */
async function makeFilm(dir: string): Promise<string> {
  const talk = await makeTalk({ minutes: MINUTES, seed: 9, dir, format: 'm4a' });
  const sources = [
    'testsrc2',
    'mandelbrot',
    'gradients=seed=3:n=4',
    'rgbtestsrc',
    'smptehdbars',
    'life=mold=10',
  ];
  const inputs = Array.from({ length: SHOTS }, (_, at) => {
    const source = sources[at % sources.length]!;
    const size = `${source.includes('=') ? ':' : '='}s=1280x720:r=25`;
    return ['-f', 'lavfi', '-t', String(60 / SHOTS), '-i', source + size];
  });
  const minute = join(dir, 'minute.mp4');
  const joined = inputs.map((_, at) => `[${at}]hue=h=${at * 30},format=yuv420p[v${at}]`).join(';');
  const labels = inputs.map((_, at) => `[v${at}]`).join('');
  await execute('ffmpeg', [
    ...['-v', 'error', ...inputs.flat()],
    ...['-filter_complex', `${joined};${labels}concat=n=${SHOTS}[film]`, '-map', '[film]'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', minute],
  ]);
  const film = join(dir, 'film.mp4');
  const copied = ['-map', '0:v', '-map', '1:a', '-c', 'copy', '-t', String(MINUTES * 60), film];
  await execute('ffmpeg', ['-v', 'error', '-stream_loop', '-1', '-i', minute, '-i', talk.file, ...copied]);
  return film;
}

async function historyOf({ ready }: LocalCloud): Promise<HistoryEvent[]> {
  const client = new SFNClient({
    endpoint: ready.stepfunctions_url,
    region: ready.region,
    credentials: { accessKeyId: ready.access_key_id, secretAccessKey: ready.secret_access_key },
  });
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const { stateMachineArn } = stateMachines.find(({ name = '' }) => /ingest/i.test(name))!;
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn }));
  const { executionArn } = executions[0]!;
  const all: HistoryEvent[] = [];
  for (let nextToken: string | undefined, isFirst = true; isFirst || nextToken; isFirst = false) {
    const page = await client.send(
      new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 1000 }),
    );
    all.push(...(page.events ?? []));
    nextToken = page.nextToken;
  }
  return all;
}

/** Returns one row for each state that runs a step, in the order in which the states began. */
function statesOf(events: readonly HistoryEvent[]): Row[] {
  const before = new Map(events.map((event) => [event.id!, event]));
  const spans = new Map<string, { start: number; end: number }[]>();
  for (const event of events) {
    if (event.type !== 'TaskStateExited') continue;
    const name = event.stateExitedEventDetails!.name!;
    let entered: HistoryEvent | undefined = event;
    while (entered !== undefined && entered.type !== 'TaskStateEntered')
      entered = before.get(entered.previousEventId ?? -1);
    const span = { start: entered!.timestamp!.getTime(), end: event.timestamp!.getTime() };
    spans.set(name, [...(spans.get(name) ?? []), span]);
  }
  return [...spans]
    .map(([name, runs]) => ({ name, runs, begun: Math.min(...runs.map(({ start }) => start)) }))
    .sort((one, other) => one.begun - other.begun)
    .map(({ name, runs, begun }) => {
      const worked = runs.reduce((sum, { start, end }) => sum + end - start, 0) / 1000;
      const underWay = (Math.max(...runs.map(({ end }) => end)) - begun) / 1000;
      return { name, values: [runs.length, worked.toFixed(1), underWay.toFixed(1)] };
    });
}
