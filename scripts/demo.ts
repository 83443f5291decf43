/**
 * `npm run demo [file]`: the main job, end to end. Starts what is not running, uploads a video in parts, follows
 * its job, prints the transcript, and writes subtitles and a page to watch them on to `out/<name>/`.
 */
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { ensureRunning } from '../local/running.ts';
import { Api, type Asset, type Job, type Transcription } from './demo/api.ts';
import { writeResults } from './demo/results.ts';
import { bar, done, line, Stopwatch } from './demo/screen.ts';
import { uploadParts } from './demo/upload.ts';

const bundled = 'content/demo/kinora-demo.mp4';
const file = process.argv[2] ?? bundled;
const size = await stat(file).then(
  (found) => found.size,
  () => fail(`There is no file ${file}.`),
);
if (size === 0) fail(`${file} is empty.`);

const stopwatch = new Stopwatch();

const ready = await stopwatch.time('start', () => ensureRunning());
const api = new Api(ready.api_url, ready.api_key);
line(`Kinora answers on ${ready.api_url}`);

const asset = await stopwatch.time('upload', async () => {
  const created = await api.post<Asset>('/v1/assets', { filename: basename(file) });
  const etags = await uploadParts(api, created.asset_id, file, size, (sent) => bar('Upload', sent / size));
  done('Upload', `${(size / 1e6).toFixed(1)} MB as asset ${created.asset_id}`);
  return { id: created.asset_id, etags };
});

const job = await stopwatch.time('processing', async () => {
  const started = await api.post<Job>(`/v1/assets/${asset.id}/finish_upload`, { etags: asset.etags });
  const ended = await follow(started);
  if (ended.status !== 'succeeded') fail(`${ended.error?.title}: ${ended.error?.detail}`);
  return ended;
});
done('Processing', `job ${job.job_id}`);

const name = basename(file, extname(file));
const folder = join('out', name);
await stopwatch.time('results', async () => {
  const { data } = await api.get<{ data: Transcription[] }>(`/v1/assets/${asset.id}/transcriptions`);
  if (data.length === 0) line('The media has no audio, so there is no transcript.');
  for (const { transcription_id } of data) {
    const path = `/v1/assets/${asset.id}/transcriptions/${transcription_id}`;
    const segments = await writeResults(api, path, folder, file);
    line('');
    for (const { start_ms, text } of segments) line(`  ${clock(start_ms)}  ${text}`);
    line('');
  }
});

line(`Subtitles and a page to watch them on: ${folder}/`);
line(stopwatch.summary());
line('Stop the local cloud with `npm stop`; look around with `npm start`.');

/** Polls the job until it ends, drawing its stage and progress. */
async function follow(started: Job): Promise<Job> {
  let job = started;
  while (job.status === 'queued' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 300));
    job = await api.get<Job>(`/v1/assets/${asset.id}/ingest_jobs/${job.job_id}`);
    const { stage } = await api.get<Asset>(`/v1/assets/${asset.id}`);
    bar(stage === null ? 'Processing' : `Processing: ${stage}`, job.progress);
  }
  return job;
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function fail(message: string): never {
  console.error(`\n${message}`);
  process.exit(1);
}
