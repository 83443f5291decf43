/**
 * Creates one of each thing that a tenant can own, when a test asks for it. It uses the API if the API can create it,
 * or else `makers`. It throws for a kind that neither can create.
 */
import { uuidv7 } from 'uuidv7';
import { pathText } from '../../client/http.ts';
import { operations } from '../../contract/index.ts';
import { jobKinds, jobTypes } from '../../contract/kit/job-kinds.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { AnalysisResults } from '../../lambdas/analyses/records/analysis-results.ts';
import type { ClipRender } from '../../lambdas/clips/rules/clips.ts';
import { soundDescriptionsOf } from '../../lambdas/sound-descriptions/records.ts';
import { audioTracksOf } from '../../lambdas/voice-over/records/audio-tracks.ts';
import { DubFiles, dubKey } from '../../lambdas/voice-over/records/dub-files.ts';
import { writesOfNewJob } from '../../platform/jobs/job-records.ts';
import { logged } from '../../platform/outbox/event-log.ts';
import { testEvent } from '../../platform/outbox/events.ts';
import { assetPartition, brandingFilePartition, clipKey, publishJobKey } from '../../platform/table/keys.ts';
import { type AssetId, asAssetId, type JobId } from '../../shared/ids.ts';
import { type JobType, queued, type StoredJob } from '../../shared/jobs.ts';
import { english, spanish, type Tenant } from './api.ts';
import { newJobId } from './ids.ts';
import {
  bodyReferences,
  isPresent,
  joinable,
  type Kind,
  languages,
  originalSegment,
  pathReferences,
  queryReferences,
  type Reference,
  segment,
  spokenLanguage,
  withReference,
} from './references.ts';

const at = '2026-11-21T09:00:00.000Z';
const dates = { version: 1, created_at: at, updated_at: at };

export class Belongings {
  readonly tenant: Tenant;
  readonly #ids = new Map<Kind, Promise<string>>();

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  id(kind: Kind): Promise<string> {
    if (!this.#ids.has(kind)) this.#ids.set(kind, this.#make(kind));
    return this.#ids.get(kind)!;
  }

  async asset(): Promise<AssetId> {
    return asAssetId(await this.id(one));
  }

  /** Values for the placeholders of a path. */
  async params(path: string): Promise<Record<string, string>> {
    const params: Record<string, string> = {};
    for (const { name, kind } of pathReferences(path)) params[name] = await this.id(kind);
    return params;
  }

  /** The contract's example. Every reference in its body leads to something that the tenant owns. */
  body(spec: OperationSpec): Promise<unknown> {
    return this.#filled(spec, bodyReferences(spec));
  }

  /** All ids that the query can have. */
  async query(spec: OperationSpec): Promise<Record<string, string>> {
    const query: Record<string, string> = {};
    for (const { at, kind } of queryReferences(spec)) query[String(at[0])] = await this.id(kind);
    return query;
  }

  async #filled(spec: OperationSpec, references: readonly Reference[]): Promise<unknown> {
    let body: unknown = structuredClone(spec.bodyExample);
    for (const reference of references) {
      body = withReference(body, reference, await this.id(reference.kind));
    }
    return body;
  }

  async #make(kind: Kind): Promise<string> {
    const make = makers[kind];
    if (make !== undefined) return make(this);
    const collection = kind.replace(/\/\{\w+\}$/, '');
    const create = operations.find(({ spec }) => spec.method === 'POST' && spec.path === collection)?.spec;
    if (create === undefined) throw new Error(`Say in test/support/belongings.ts how to make ${kind}.`);
    const path = filled(collection, await this.params(collection));
    // Only references of the example. Otherwise templates and dictionaries would refer to each other.
    const needed = bodyReferences(create).filter((reference) => isPresent(create.bodyExample, reference));
    const reply = await this.tenant.call('POST', path, await this.#filled(create, needed));
    const id = reply.json?.[kind.slice(collection.length + 2, -1)];
    if (reply.status !== 201 || id === undefined) throw new Error(`${kind} is not made: ${reply.text}`);
    return id;
  }
}

export const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name) => pathText(params[name]!));

const one = '/v1/assets/{asset_id}';
const transcription = `${one}/transcriptions/{transcription_id}`;

const jobsOfAssets = Object.fromEntries(
  jobTypes
    .filter((type) => jobKinds[type].path.startsWith(`${one}/`))
    .map((type) => [jobKinds[type].path, assetJob(type)]),
);

/** Makes things that only engines or steps create, or that the API returns in another shape. */
const makers: Readonly<Record<Kind, (own: Belongings) => Promise<string>>> = {
  [languages]: async () => spanish,
  [spokenLanguage]: async () => english,
  [one]: ({ tenant }) => tenant.readyAsset({ languages: [english, spanish] }),
  '/v1/external/assets/{external_id}': async ({ tenant }) => {
    const external_id = `external ${uuidv7()}`;
    await tenant.call('POST', '/v1/assets', { filename: 'a.mp4', external_id });
    return external_id;
  },
  [transcription]: async (own) => {
    const asset = await own.asset();
    await own.tenant.transcribed(asset, ['hola'], { source: 'translated', language_id: spanish });
    return own.tenant.transcribed(asset, ['hello there', 'again', 'and again']);
  },
  [segment]: async (own) => segmentOf(own, await own.id(transcription)),
  [joinable[0]]: async (own) => segmentOf(own, await own.id(transcription), 1),
  [joinable[1]]: async (own) => segmentOf(own, await own.id(transcription), 2),
  [originalSegment]: async (own) =>
    segmentOf(own, await own.tenant.transcribed(await own.asset(), ['hello'])),
  [`${one}/video_clips/{video_id}`]: readyClip,
  '/v1/clips/{clip_id}': (own) => own.id(`${one}/video_clips/{video_id}`),
  [`${one}/metadata/{metadata_id}`]: metadata,
  [`${one}/faces/{face_id}`]: async (own) => {
    const { table, objects, id } = own.tenant;
    const face_id = uuidv7();
    const box = { x: 0.4, y: 0.1, width: 0.2, height: 0.35 };
    const appearances = [{ start_ms: 0, end_ms: 900, box }];
    const face = { face_id, confidence: 0.9, appearances, likeness: null, thumbnail: null };
    await new AnalysisResults(table, objects, id).writeList(await own.asset(), 'faces', newJobId(), [face]);
    return face_id;
  },
  [`${one}/sound_descriptions/{description_id}`]: async (own) => {
    const { tenant } = own;
    const asset_id = await own.asset();
    const description_id = uuidv7();
    const heard = { description_id, asset_id, start_ms: 0, end_ms: 900, text: 'applause', confidence: null };
    await soundDescriptionsOf(tenant.table, tenant.id).create(asset_id, description_id, {
      ...heard,
      ...dates,
    });
    return description_id;
  },
  [`${one}/audio_tracks/{audio_track_id}`]: audioTrack,
  ...jobsOfAssets,
  [`${one}/video_clips/{video_id}/async_export/{job_id}`]: assetJob('export'),
  '/v1/branding_overlays/{overlay_id}/upload_jobs/{job_id}': fileJob(
    '/v1/branding_overlays/{overlay_id}',
    'overlay_id',
  ),
  '/v1/branding_clips/{clip_id}/upload_jobs/{job_id}': fileJob('/v1/branding_clips/{clip_id}', 'clip_id'),
  '/v1/jobs/{job_id}': assetJob('translation'),
  '/v1/publish/{job_id}': publishJob,
  '/v1/events/{event_id}': event,
  '/v1/webhooks/{webhook_id}': webhook,
  '/v1/admin/external_storages/{external_storage_id}': (own) =>
    own.id('/v1/external_storages/{external_storage_id}'),
};

async function segmentOf(own: Belongings, id: string, nth = 0): Promise<string> {
  const path = `/v1/assets/${await own.asset()}/transcriptions/${id}`;
  return (await own.tenant.call('GET', path)).json.segments[nth].segment_id;
}

async function event({ tenant }: Belongings): Promise<string> {
  const made = testEvent(new Date(), uuidv7());
  await tenant.table.transact([logged(tenant.id, made)]);
  return made.event_id;
}

/** A tenant may have few webhooks. Deletes all but the first, because the tests no longer need them. */
export async function roomForWebhooks({ call }: Tenant): Promise<void> {
  const { data } = (await call('GET', '/v1/webhooks?items=100')).json;
  for (const { webhook_id } of data.slice(0, -1)) await call('DELETE', `/v1/webhooks/${webhook_id}`);
}

async function webhook({ tenant }: Belongings): Promise<string> {
  await roomForWebhooks(tenant);
  return (await tenant.call('POST', '/v1/webhooks', { url: 'https://example.com/hook' })).json.webhook_id;
}

async function readyClip(own: Belongings): Promise<string> {
  const asset = await own.asset();
  const made = await own.tenant.call('POST', `/v1/assets/${asset}/video_clips`, { video_clips: [{}] });
  const clip = made.json.data[0].video_clip_id;
  const render: ClipRender = {
    ...{ file: 'a-file', made_of: 'something', planned_at: at, rendered_at: at, notes: [] },
    ...{ size_bytes: 5, width: 1920, height: 1080, duration_ms: 60_000, frame_count: 1500, has_poster: true },
  };
  await own.tenant.table.update({
    key: clipKey(own.tenant.id, asset, clip),
    expression: 'SET #render = :render',
    names: { '#render': 'render' },
    values: { render },
  });
  return clip;
}

async function metadata(own: Belongings): Promise<string> {
  const { tenant } = own;
  const metadata_id = uuidv7();
  const head = { title: null, summary: null, sentiment: null, classifications: [], ...dates };
  await new AnalysisResults(tenant.table, tenant.objects, tenant.id).addMetadata(
    { metadata_id, asset_id: await own.asset(), language_id: english, ...head },
    { keywords: [], entities: [], chapters: [], texts: [] },
  );
  return metadata_id;
}

async function audioTrack(own: Belongings): Promise<string> {
  const { tenant } = own;
  const asset_id = await own.asset();
  const audio_track_id = uuidv7();
  const files = new DubFiles(tenant.objects, tenant.id);
  const ids = { asset_id, job_id: newJobId(), language_id: spanish };
  const counts = { synthesised: 1, kept: 0 };
  await files.writeFit(ids, { integrated_lufs: -23, true_peak_dbtp: -3, ...counts, segments: [] });
  await audioTracksOf(tenant.table, tenant.id).create(asset_id, audio_track_id, {
    audio_track_id,
    asset_id,
    language_id: spanish,
    source: 'voice_over',
    codec: 'aac',
    channels: 2,
    sample_rate: 48_000,
    duration_ms: 1000,
    size_bytes: 5,
    video: { media_type: 'video/mp4', size_bytes: 9 },
    object_key: dubKey(tenant.id, ids, 'sound.m4a'),
    dub: {
      ...{ transcription_id: await own.id(transcription), transcription_version: 1, job_id: ids.job_id },
      ...{
        replaced_job_id: null,
        fit_key: dubKey(tenant.id, ids, 'fit.json.gz'),
        video_key: dubKey(tenant.id, ids, 'video'),
      },
    },
    ...dates,
  });
  return audio_track_id;
}

const running = (job_id: JobId) => ({
  ...queued(job_id, new Date(at)),
  status: 'running' as const,
  machine: 'Ingest',
  input: {},
  own: {},
});

function assetJob(type: JobType) {
  return async (own: Belongings): Promise<string> => {
    const { table, id: tenant } = own.tenant;
    const asset_id = await own.asset();
    const video_clip_id = await own.id(`${one}/video_clips/{video_id}`);
    const job = { ...running(newJobId()), type, asset_id, ...(type === 'export' && { video_clip_id }) };
    const writes = writesOfNewJob(tenant, assetPartition(tenant, asset_id), job as StoredJob, new Date(at));
    await table.transact(writes);
    return job.job_id;
  };
}

function fileJob(kind: Kind, member: 'overlay_id' | 'clip_id') {
  return async (own: Belongings): Promise<string> => {
    const { table, id: tenant } = own.tenant;
    const file = await own.id(kind);
    const job = { ...running(newJobId()), type: 'branding_upload', [member]: file };
    const partition = brandingFilePartition(tenant, file);
    await table.transact(writesOfNewJob(tenant, partition, job as unknown as StoredJob, new Date(at)));
    return job.job_id;
  };
}

async function publishJob(own: Belongings): Promise<string> {
  const clip = await own.id(`${one}/video_clips/{video_id}`);
  const job = queued(newJobId(), new Date(at));
  await own.tenant.table.put({
    ...job,
    asset_id: await own.asset(),
    type: 'publish',
    video_clip_id: clip,
    platform: 'youtube',
    caption: null,
    schedule_at: null,
    ...publishJobKey(own.tenant.id, job.job_id),
  });
  return job.job_id;
}
