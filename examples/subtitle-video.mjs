/** Uploads a file, waits for its transcription, and writes WebVTT and SubRip subtitles next to it. */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { jobEnd, Kinora, uploadAsset } from '@kinora/client';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node subtitle-video.mjs FILE');
const kinora = new Kinora({ url: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY });

const { asset_id } = await kinora.createAsset({ body: { filename: basename(file) } });
const { job_id } = await uploadAsset(kinora, asset_id, await openAsBlob(file));
const job = await jobEnd(
  () => kinora.getIngestJob({ asset_id, job_id }),
  ({ progress }) => console.log(`${Math.round(progress * 100)} %`),
);
if (job.status !== 'succeeded') throw new Error(job.error?.detail ?? job.status);

for await (const { transcription_id } of kinora.listTranscriptions({ asset_id })) {
  await writeFile(`${file}.vtt`, await kinora.getVtt({ asset_id, transcription_id }));
  await writeFile(`${file}.srt`, await kinora.getSrt({ asset_id, transcription_id }));
  console.log(`Wrote ${file}.vtt and ${file}.srt`);
}
