/** The work of each machine in the campaign: the smallest that reaches all of its steps. */
import { sourceKey } from '../../platform/objects/media-objects.ts';
import type { AssetId } from '../../shared/ids.ts';
import { type Answer, english, spanish, type Tenant } from '../support/api.ts';
import { exportingOf } from '../support/exporting.ts';
import { archive, role, type World } from './world.ts';

export interface Begun {
  /** Sends the request. A second call sends the same request again. */
  readonly ask: () => Promise<Answer>;
  /** The resource that the machine processes. A test may delete it meanwhile. */
  readonly owner: string;
}

export interface Scenario {
  readonly name: string;
  /** The name of the machine's definition. */
  readonly machine: string;
  /** Whether the request creates a job. */
  readonly isJob: boolean;
  /** The approximate CPU seconds of a run. Expensive scenarios are drawn less often. */
  readonly cost: number;
  prepare(tenant: Tenant, world: World): Promise<Begun>;
}

const key = { 'idempotency-key': 'asked-once' };

async function made(answer: Promise<Answer>): Promise<Answer> {
  const { status, text, json, ...rest } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return { status, text, json, ...rest };
}

async function withFilm(tenant: Tenant, { media }: World, facts: object = {}): Promise<AssetId> {
  const source_tracks = [
    { number: 1, language: null, title: null, codec: 'aac', channels: 1, is_default: true, chosen: 'only' },
  ] as const;
  const film = { duration_ms: 2000, frame_rate: 5, width: 96, height: 54, languages: [english] };
  const asset = await tenant.readyAsset({ ...film, source_tracks, ...facts });
  await tenant.objects.write(sourceKey(tenant.id, asset), media.talk, 'video/mp4');
  return asset;
}

async function sent(url: string, bytes: Uint8Array): Promise<string> {
  const reply = await fetch(url, { method: 'PUT', body: Buffer.from(bytes) });
  return reply.headers.get('etag')!;
}

async function storageOf(tenant: Tenant, { trust }: World, more: object = {}): Promise<string> {
  const id = await exportingOf(tenant).storage({
    type: 'aws_s3',
    destination: { bucket_name: archive, region: 'us-east-1' },
    authentication_data: { iam_role_arn: role },
    ...more,
  });
  await trust((await tenant.call('GET', `/v1/external_storages/${id}`)).json.aws_access);
  return id;
}

async function clipOf(tenant: Tenant, world: World): Promise<{ asset: AssetId; clip: string }> {
  const asset = await withFilm(tenant, world);
  const video_clips = [{ aspect_ratio_x: 1, aspect_ratio_y: 1 }];
  const { json } = await made(tenant.call('POST', `/v1/assets/${asset}/video_clips`, { video_clips }));
  return { asset, clip: json.data[0].video_clip_id };
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'ingest',
    machine: 'Ingest',
    isJob: true,
    cost: 4,
    async prepare(tenant, { media }) {
      const languages = { translation_language_ids: [spanish], voice_over_language_ids: [spanish] };
      const template = await made(tenant.call('POST', '/v1/templates', { name: 'T', ...languages }));
      const { template_id } = template.json;
      const asset = await made(tenant.call('POST', '/v1/assets', { filename: 'talk.mp4', template_id }));
      const owner = `/v1/assets/${asset.json.asset_id}`;
      const ticket = await made(tenant.call('POST', `${owner}/start_upload`, { parts: 1 }));
      const etags = [await sent(ticket.json.parts[0].url, media.talk)];
      return { owner, ask: () => tenant.call('POST', `${owner}/finish_upload`, { etags }, key) };
    },
  },
  {
    name: 'translation',
    machine: 'Translation',
    isJob: true,
    cost: 0.3,
    async prepare(tenant) {
      const asset = await tenant.readyAsset({ languages: [english] });
      await tenant.transcribed(asset, ['The house is red.', 'The dog eats.']);
      const owner = `/v1/assets/${asset}`;
      const body = { language_ids: [spanish] };
      return { owner, ask: () => tenant.call('POST', `${owner}/translation_jobs`, body, key) };
    },
  },
  {
    name: 'voice over',
    machine: 'VoiceOver',
    isJob: true,
    cost: 1,
    async prepare(tenant, world) {
      const asset = await withFilm(tenant, world);
      await tenant.transcribed(asset, ['The house is red.']);
      await tenant.transcribed(asset, ['La casa.'], { source: 'translated', language_id: spanish });
      const owner = `/v1/assets/${asset}`;
      const body = { language_ids: [spanish], mux: true };
      return { owner, ask: () => tenant.call('POST', `${owner}/process_voice_over_jobs`, body, key) };
    },
  },
  {
    name: 'clips',
    machine: 'Clips',
    isJob: true,
    cost: 1,
    async prepare(tenant, world) {
      const { asset, clip } = await clipOf(tenant, world);
      const owner = `/v1/assets/${asset}`;
      const body = { video_ids: [clip] };
      return { owner, ask: () => tenant.call('POST', `${owner}/video_clips/download_async`, body, key) };
    },
  },
  {
    name: 'export of a clip',
    machine: 'Export',
    isJob: true,
    cost: 1,
    async prepare(tenant, world) {
      const { asset, clip } = await clipOf(tenant, world);
      const body = { external_storage_id: await storageOf(tenant, world) };
      const owner = `/v1/assets/${asset}`;
      const path = `${owner}/video_clips/${clip}/async_export`;
      return { owner, ask: () => tenant.call('POST', path, body, key) };
    },
  },
  {
    name: 'export of subtitles',
    machine: 'Export',
    isJob: true,
    cost: 0.2,
    async prepare(tenant, world) {
      const asset = await tenant.readyAsset({ languages: [english] });
      const transcription = await tenant.transcribed(asset, ['The house is red.']);
      const body = { external_storage_id: await storageOf(tenant, world) };
      const owner = `/v1/assets/${asset}`;
      const path = `${owner}/transcriptions/${transcription}/vtt/export`;
      return { owner, ask: () => tenant.call('POST', path, body, key) };
    },
  },
  {
    name: 'branding upload',
    machine: 'BrandingUpload',
    isJob: true,
    cost: 0.3,
    async prepare(tenant, { media }) {
      const file = { name: 'Logo', filename: 'logo.png' };
      const { json } = await made(tenant.call('POST', '/v1/branding_overlays', file));
      const owner = `/v1/branding_overlays/${json.overlay_id}`;
      const ticket = await made(tenant.call('POST', `${owner}/start_upload`, { parts: 1 }));
      const etags = [await sent(ticket.json.parts[0].url, media.logo)];
      return { owner, ask: () => tenant.call('POST', `${owner}/finish_upload`, { etags }, key) };
    },
  },
  {
    name: 'deletion of an asset',
    machine: 'DeleteAsset',
    isJob: false,
    cost: 0.2,
    async prepare(tenant, world) {
      const asset = await withFilm(tenant, world, { external_id: null });
      await tenant.transcribed(asset, ['The house is red.']);
      await made(tenant.call('POST', `/v1/assets/${asset}/video_clips`, { video_clips: [{}] }));
      const owner = `/v1/assets/${asset}`;
      return { owner, ask: () => tenant.call('DELETE', owner) };
    },
  },
  {
    name: 'emptying of a collection',
    machine: 'EmptyCollection',
    isJob: false,
    cost: 0.2,
    async prepare(tenant) {
      const { json } = await made(tenant.call('POST', '/v1/collections', { name: 'C' }));
      const owner = `/v1/collections/${json.collection_id}`;
      const asset_ids = [await tenant.readyAsset(), await tenant.readyAsset()];
      await made(tenant.call('POST', `${owner}/assets`, { asset_ids }));
      return { owner, ask: () => tenant.call('DELETE', owner) };
    },
  },
  {
    name: 'delivery of an event',
    machine: 'DeliverEvent',
    isJob: false,
    cost: 0.1,
    async prepare(tenant) {
      const body = { filename: 'talk.mp4' };
      return { owner: '', ask: () => tenant.call('POST', '/v1/assets', body, key) };
    },
  },
];
