/**
 * `npm run demo [file]`: the main job from start to end. Starts the local cloud if necessary, uploads a video in parts, follows its
 * job, prints the transcript, translates and dubs it, and renders a clip. Writes the results and a page to watch them to `out/<name>/`.
 */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type IngestJob, jobEnd, Kinora, type Transcription, uploadAsset } from '../client/index.ts';
import { ensureRunning } from '../local/running.ts';
import { defined } from '../shared/checked-access.ts';
import { startCommand } from '../toolchain/product.ts';
import { orRefusal, renderClip, translate, voiceOver } from './demo/jobs.ts';
import { savePictures, writeSubtitles, writeWatchPage } from './demo/results.ts';
import { bar, done, line, Stopwatch } from './demo/screen.ts';
import type { ShownClip, Version } from './demo/watch-page.ts';
import { modelStore } from './models/store.ts';

const bundled = 'content/demo/kinora-demo.mp4';
const [file = bundled, code] = process.argv.slice(2);
const size = await stat(file).then(
  (found) => found.size,
  () => fail(`The file ${file} does not exist.`),
);
if (size === 0) fail(`${file} is empty.`);

type Written = Pick<Transcription, 'transcription_id' | 'language_id'>;

const stopwatch = new Stopwatch();

const ready = await stopwatch.time('start', () => ensureRunning(startCommand));
const kinora = new Kinora({ url: ready.api_url, apiKey: ready.api_key });
line(`Kinora answers on ${ready.api_url}`);

const started = await stopwatch.time('upload', async () => {
  const known = await kinora.listLanguages({ items: 100 });
  const named = known.data.find((language) => language.code === code);
  if (code !== undefined && named === undefined) fail(`There is no language ${code}.`);
  const { asset_id } = await kinora.createAsset({
    body: { filename: basename(file), language_id: named?.language_id ?? null },
  });
  const media = await openAsBlob(file);
  const ingest = await uploadAsset(kinora, asset_id, media, { onSent: (sent) => bar('Upload', sent / size) });
  done('Upload', `${(size / 1e6).toFixed(1)} MB as asset ${asset_id}`);
  return ingest;
});
const { asset_id } = started;

const job = await stopwatch.time('processing', async () => {
  const ended = await follow(started.job_id);
  if (ended.error !== null) fail(`${ended.error.title}: ${ended.error.detail}`);
  return ended;
});
done('Processing', `job ${job.job_id}`);
for (const { error } of job.items) if (error !== null) line(`${error.title}: ${error.detail}`);

const name = basename(file, extname(file));
const folder = join('out', name);
const languages = new Map(
  (await kinora.listLanguages({ items: 100 })).data.map((language) => [language.language_id, language]),
);
const versions: Version[] = [];
const [spoken] = (await kinora.listTranscriptions({ asset_id })).data;
if (spoken === undefined)
  line(
    job.status === 'succeeded'
      ? 'The file has no speech, so there is no transcript.'
      : 'There is no transcript.',
  );
else {
  await stopwatch.time('results', () => write(spoken, '', file));
  const { code } = defined(languages.get(spoken.language_id));
  const refused = await stopwatch.time('translation', () =>
    orRefusal(translate(kinora, asset_id, code, ({ progress }) => bar('Translation', progress))),
  );
  if (refused !== null) done('Translation', refused);
  for (const translation of (await kinora.listTranscriptions({ asset_id })).data) {
    if (translation.source !== 'translated') continue;
    const { language_id } = translation;
    const { code } = defined(languages.get(language_id));
    const spoken = await stopwatch.time('voice over', () =>
      orRefusal(
        voiceOver(kinora, { asset_id, language_id, code, folder }, ({ progress }) =>
          bar('Voice over', progress),
        ),
      ),
    );
    await write(translation, code, typeof spoken === 'string' ? file : spoken.media);
    done('Voice over', typeof spoken === 'string' ? spoken : spoken.summary);
  }
  const clips: ShownClip[] = [];
  const made = await stopwatch.time('clip', clip);
  if (made !== null) {
    done('Clip', typeof made === 'string' ? made : made.media);
    if (typeof made !== 'string') clips.push(made);
  }
  const storyboard = await savePictures(kinora, asset_id, folder);
  await writeWatchPage(folder, { name: basename(file), versions, storyboard, clips });
  line(`Subtitles and a page to watch them on: ${folder}/`);
}
line(stopwatch.summary());
if (!modelStore().hasSpeechInUse() && !process.env.SHERPA_MODEL_DIR)
  line('PocketSphinx is for clear English only. Real speech in 25 languages: npm run models get parakeet-v3');
line('Stop the local cloud: npm stop. Start it again: npm start.');

/** Writes the files of a transcription, prints its text, and adds it to the page. */
async function write({ transcription_id, language_id }: Written, mark: string, media: string): Promise<void> {
  const language = defined(languages.get(language_id));
  const made = await writeSubtitles(kinora, { asset_id, transcription_id }, { folder, mark });
  versions.push({ language, media, ...made });
  done(language.native_name, `${made.segments.length} segments`);
  line('');
  for (const { start_ms, text } of made.segments) line(`  ${clock(start_ms)}  ${text}`);
  line('');
}

/** Renders an upright clip with subtitles in the language of the last version. Null if the file has no picture. */
async function clip(): Promise<ShownClip | string | null> {
  const { width, duration_ms } = await kinora.getAsset({ asset_id });
  if (width === null || duration_ms === null) return null;
  const language = versions.at(-1)?.language;
  const known = [...languages.values()].find(({ code }) => code === language?.code);
  const subtitles = known && { language_id: known.language_id, code: known.code, name: known.native_name };
  const wanted = { asset_id, duration_ms, subtitles: subtitles ?? null, folder };
  return orRefusal(renderClip(kinora, wanted, ({ progress }) => bar('Clip', progress)));
}

function follow(job_id: string): Promise<IngestJob> {
  const look = () => kinora.getIngestJob({ asset_id, job_id });
  const draw = async ({ progress, estimated_ready_at }: IngestJob) => {
    const { stage } = await kinora.getAsset({ asset_id });
    bar(stage === null ? 'Processing' : `Processing: ${stage}`, progress, estimated_ready_at);
  };
  return jobEnd(look, draw, 300);
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function fail(message: string): never {
  console.error(`\n${message}`);
  process.exit(1);
}
