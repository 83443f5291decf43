/** Lives of assets, from creation to deletion. Each life uses the API in a different way, and sends requests that the API must reject. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jobEnd, type ProblemError } from '../../client/index.ts';
import { defined, itemAt } from '../../shared/checked-access.ts';
import type { Tenant } from './calls.ts';
import { type Media, PART_BYTES, type SoakMedia } from './media.ts';

/** The inputs of the life of an asset: media, and the id of another tenant's asset, which the API must not find. */
export interface Surroundings {
  readonly media: SoakMedia;
  readonly foreign: () => string | undefined;
}

type Life = (tenant: Tenant, around: Surroundings) => Promise<void>;

const LOOK_MS = 400;
/** Time limit of a job on a machine with other work, ms. */
const JOB_MS = 300_000;
/** Time limit of a deletion, ms. */
const GONE_MS = 90_000;
const absentId = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

async function created({ kinora, calls, assets }: Tenant, { filename }: Media): Promise<string> {
  const external_id = crypto.randomUUID();
  const { asset_id } = await kinora.createAsset({ body: { filename, external_id } });
  assets.push(asset_id);
  await calls.refused('external_id_conflict', () => kinora.createAsset({ body: { filename, external_id } }));
  return asset_id;
}

async function sent({ kinora, calls }: Tenant, asset_id: string, { file }: Media): Promise<string[]> {
  const count = Math.ceil(file.size / PART_BYTES);
  const ticket = await kinora.startUpload({ asset_id, body: { parts: count } });
  const etags: string[] = [];
  for (const { url, part_number } of ticket.parts) {
    const body = file.slice((part_number - 1) * PART_BYTES, part_number * PART_BYTES);
    const answer = await calls.fetch(url, { method: 'PUT', body });
    etags.push(answer.headers.get('etag') ?? '');
  }
  return etags;
}

interface Ended {
  readonly status: string;
  readonly error: unknown;
}

async function end<Job extends Ended>(
  { calls }: Tenant,
  type: string,
  look: () => Promise<Job>,
  wanted: string,
) {
  const job = await jobEnd(look, undefined, LOOK_MS, AbortSignal.timeout(JOB_MS));
  calls.jobEnded(type, job.status);
  if (job.status === wanted) return job;
  calls.fault(`${type} ended ${job.status} instead of ${wanted}: ${JSON.stringify(job)}`);
  throw new Given();
}

/** Thrown to end a life whose fault is already recorded. */
export class Given extends Error {}

async function ingested(tenant: Tenant, media: Media, wanted = 'succeeded'): Promise<string> {
  const { kinora, calls } = tenant;
  const asset_id = await created(tenant, media);
  await calls.refused('invalid_state', () =>
    kinora.createVideoClips({ asset_id, body: { video_clips: [{}] } }),
  );
  const etags = await sent(tenant, asset_id, media);
  const { job_id } = await kinora.finishUpload({ asset_id, body: { etags } });
  await end(tenant, 'ingest', () => kinora.getIngestJob({ asset_id, job_id }), wanted);
  return asset_id;
}

/** Reads a transcription in all formats, changes a segment, and reads the transcription again. */
async function edited({ kinora, calls }: Tenant, asset_id: string): Promise<void> {
  const [transcription] = (await kinora.listTranscriptions({ asset_id })).data;
  if (transcription === undefined) return calls.fault(`The asset ${asset_id} has no transcription.`);
  const one = { asset_id, transcription_id: transcription.transcription_id };
  const { segments } = await kinora.getTranscription(one);
  await Promise.all([kinora.getVtt(one), kinora.getSrt(one), kinora.getStl(one), kinora.getQcReport(one)]);
  const [segment] = segments;
  if (segment === undefined) return;
  const { segment_id } = segment;
  await kinora.updateSegment({ ...one, segment_id, body: { text: 'Welcome to this film.' } });
  await calls.refused('precondition_failed', () =>
    kinora.updateSegment({ ...one, segment_id, body: { text: 'Late.' } }, { ifMatch: '"none"' }),
  );
  await calls.refused('validation_failed', () =>
    kinora.updateSegment({ ...one, segment_id, body: { start_ms: -1 } }),
  );
  await kinora.getVtt(one);
}

async function translated(tenant: Tenant, asset_id: string, code: string): Promise<void> {
  const { kinora, languages } = tenant;
  const body = { language_ids: [defined(languages.get(code))] };
  const { job_id } = await kinora.createTranslationJob({ asset_id, body });
  await end(tenant, 'translation', () => kinora.getTranslationJob({ asset_id, job_id }), 'succeeded');
}

async function spoken(tenant: Tenant, asset_id: string, code: string): Promise<void> {
  const { kinora, calls, languages } = tenant;
  const body = { language_ids: [defined(languages.get(code))], mux: true };
  const { job_id } = await kinora.createVoiceOverJob({ asset_id, body });
  await end(tenant, 'voice over', () => kinora.getVoiceOverJob({ asset_id, job_id }), 'succeeded');
  for (const { audio_track_id, source } of (await kinora.listAudioTracks({ asset_id })).data) {
    if (source !== 'voice_over') continue;
    const { url } = await kinora.getAudioTrackVideoDownloadUrl({ asset_id, audio_track_id });
    await calls.fetch(url);
  }
}

async function clipped(tenant: Tenant, asset_id: string, subtitles?: string): Promise<void> {
  const { kinora, calls, languages } = tenant;
  const clip = {
    ...{ start_ms: 0, end_ms: 3000, aspect_ratio_x: 9, aspect_ratio_y: 16, autoframing: true },
    ...(subtitles !== undefined && { subtitles_language_id: defined(languages.get(subtitles)) }),
  };
  const { data } = await kinora.createVideoClips({ asset_id, body: { video_clips: [clip] } });
  const video_id = itemAt(data, 0).video_clip_id;
  const { job_id } = await kinora.downloadVideoClipsAsync({ asset_id, body: { video_ids: [video_id] } });
  const look = () => kinora.getDownloadJob({ asset_id, job_id });
  const { items } = await end(tenant, 'clips', look, 'succeeded');
  const { status } = await calls.fetch(defined(itemAt(items, 0).result).url);
  if (status !== 200) calls.fault(`A clip could not be downloaded: ${status}`);
  await kinora.deleteVideoClip({ asset_id, video_id });
}

/** Deletes the asset and waits until it is gone. Meanwhile, the asset has the status `deleting`. */
async function deleted({ kinora, calls }: Tenant, asset_id: string): Promise<void> {
  await kinora.deleteAsset({ asset_id });
  await calls.refused('invalid_state resource_not_found', () =>
    kinora.startUpload({ asset_id, body: { parts: 1 } }),
  );
  const late = Date.now() + GONE_MS;
  const isGone = () =>
    kinora.getAsset({ asset_id }).then(
      () => false,
      ({ code }: ProblemError) => code === 'resource_not_found',
    );
  while (!(await isGone())) {
    if (Date.now() > late) return calls.fault(`The asset ${asset_id} is not gone after ${GONE_MS} ms.`);
    await sleep(LOOK_MS);
  }
}

const film: Life = async (tenant, { media }) => {
  const asset_id = await ingested(tenant, media.film);
  await edited(tenant, asset_id);
  await translated(tenant, asset_id, 'es');
  await spoken(tenant, asset_id, 'es');
  await clipped(tenant, asset_id, 'es');
  await deleted(tenant, asset_id);
};

const inParts: Life = async (tenant, { media }) => {
  const asset_id = await ingested(tenant, media.large);
  await clipped(tenant, asset_id);
  await deleted(tenant, asset_id);
};

const sound: Life = async (tenant, { media }) => {
  const asset_id = await ingested(tenant, media.sound);
  await edited(tenant, asset_id);
  await translated(tenant, asset_id, 'fr');
  await deleted(tenant, asset_id);
};

const silent: Life = async (tenant, { media }) => {
  const asset_id = await ingested(tenant, media.silent);
  const poster = await tenant.kinora.getPoster({ asset_id });
  await tenant.calls.fetch(poster.url);
  await deleted(tenant, asset_id);
};

const text: Life = async (tenant, { media }) => {
  const asset_id = await ingested(tenant, media.text, 'failed');
  await deleted(tenant, asset_id);
};

const canceled: Life = async (tenant, { media }) => {
  const { kinora } = tenant;
  const asset_id = await created(tenant, media.long);
  const etags = await sent(tenant, asset_id, media.long);
  const { job_id } = await kinora.finishUpload({ asset_id, body: { etags } });
  await sleep(500 + Math.random() * 6000);
  await kinora.cancelJob({ job_id });
  await end(tenant, 'ingest', () => kinora.getIngestJob({ asset_id, job_id }), 'canceled');
  // A second cancellation has no further effect.
  await kinora.cancelJob({ job_id });
  await deleted(tenant, asset_id);
};

/** Deletes the asset while its job runs. */
const torn: Life = async (tenant, { media }) => {
  const asset_id = await created(tenant, media.film);
  const etags = await sent(tenant, asset_id, media.film);
  await tenant.kinora.finishUpload({ asset_id, body: { etags } });
  await sleep(Math.random() * 4000);
  await deleted(tenant, asset_id);
};

const unfinished: Life = async (tenant, { media, foreign }) => {
  const { kinora, calls } = tenant;
  const asset_id = await created(tenant, media.large);
  const etags = await sent(tenant, asset_id, media.large);
  await calls.refused('upload_parts_mismatch', () =>
    kinora.finishUpload({ asset_id, body: { etags: etags.map(() => '"0"') } }),
  );
  const other = foreign() ?? absentId;
  await calls.refused('resource_not_found', () => kinora.getAsset({ asset_id: other }));
  await deleted(tenant, asset_id);
};

/** Creates and deletes configuration, with an asset that uses it. */
const configured: Life = async (tenant, { media }) => {
  const { kinora, calls } = tenant;
  const { template_id } = await kinora.createTemplate({ body: { name: 'Soak' } });
  const { data, etag } = await kinora.getTemplate({ template_id }).withResponse();
  await kinora.updateTemplate(
    { template_id, body: { name: `${data.name} again` } },
    { ...(etag !== null && { ifMatch: etag }) },
  );
  const { collection_id } = await kinora.createCollection({ body: { name: 'Soak', template_id } });
  const asset_id = await created(tenant, media.film);
  await kinora.addCollectionAssets({ collection_id, body: { asset_ids: [asset_id] } });
  await calls.refused('invalid_state', () => kinora.deleteTemplate({ template_id }));
  await kinora.deleteCollection({ collection_id });
  await kinora.deleteTemplate({ template_id });
  await deleted(tenant, asset_id);
};

/** Each tenant runs the lives one after another, and each starts at a different life. */
export const lives: readonly Life[] = [
  film,
  unfinished,
  sound,
  text,
  canceled,
  inParts,
  configured,
  silent,
  torn,
];

/** Sends the requests of a media library's page: lists, page after page, and requests that must be rejected. */
export async function browse({ kinora, calls }: Tenant): Promise<void> {
  let pages = 0;
  for await (const _ of kinora.listAssets({ items: 2 }).pages()) {
    pages += 1;
    if (pages === 3) break;
  }
  await kinora.listAssets({ page: 2, items: 2 });
  await kinora.listJobs({ items: 5 });
  await kinora.listEvents({ items: 20 });
  await kinora.listTemplates({});
  await kinora.getCurrentUsage({});
  await kinora.listWebhooks({});
  await calls.refused('resource_not_found', () => kinora.getJob({ job_id: absentId }));
  await calls.refused('invalid_parameter', () => kinora.listAssets({ items: 0 }));
}
