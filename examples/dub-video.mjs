/** Uploads a file, translates its speech, dubs it, and saves the dubbed file. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jobEnd, Kinora, uploadAsset } from '@kinora/client';

const [file, code = 'es'] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node dub-video.mjs FILE [LANGUAGE]');
const kinora = new Kinora({ url: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY });

const { asset_id } = await kinora.createAsset({ body: { filename: basename(file) } });
const upload = await uploadAsset(kinora, asset_id, await openAsBlob(file));
await ended('Transcription', () => kinora.getIngestJob({ asset_id, job_id: upload.job_id }));

const body = { language_ids: [await languageIdOf(code)] };
const translation = await kinora.createTranslationJob({ asset_id, body });
await ended('Translation', () => kinora.getTranslationJob({ asset_id, job_id: translation.job_id }));

// `mux` also puts the dub into a copy of the video; a file without a picture has none.
const { width } = await kinora.getAsset({ asset_id });
const dub = await kinora.createVoiceOverJob({ asset_id, body: { ...body, mux: width !== null } });
const { items } = await ended('Voice over', () => kinora.getVoiceOverJob({ asset_id, job_id: dub.job_id }));

const track = { asset_id, audio_track_id: items[0].result.audio_track_id };
const { url } =
  width === null
    ? await kinora.getAudioTrackDownloadUrl(track)
    : await kinora.getAudioTrackVideoDownloadUrl(track);
const extension = width === null ? '.m4a' : extname(file);
const dubbed = `${file}.${code}${extension}`;
await pipeline(Readable.fromWeb((await fetch(url)).body), createWriteStream(dubbed));
console.log(`Wrote ${dubbed}`);

/** Waits for a job and throws if it did not succeed. */
async function ended(name, read) {
  const job = await jobEnd(read, ({ progress }) => console.log(`${name}: ${Math.round(progress * 100)} %`));
  const error = job.items.find((item) => item.error !== null)?.error ?? job.error;
  if (error !== null) throw new Error(`${name}: ${error.detail}`);
  return job;
}

async function languageIdOf(wanted) {
  for await (const language of kinora.listLanguages({ items: 100 }))
    if (language.code === wanted) return language.language_id;
  throw new Error(`Kinora does not know the language ${wanted}`);
}
