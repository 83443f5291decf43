/** Responses that depend on the state of resources, or on concurrent changes. */
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { uuidv7 } from 'uuidv7';
import { operations } from '../../../contract/index.ts';
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { assetKey, childKey, clipKey, configurationKey } from '../../../platform/table/keys.ts';
import type { Key } from '../../../platform/table/table.ts';
import { asAssetId, asJobId } from '../../../shared/ids.ts';
import type { Belongings } from '../belongings.ts';
import type { Call } from '../dynamodb-between.ts';
import { newJobId } from '../ids.ts';
import type { Provoker, Request, Scene } from './scene.ts';

export const states = {
  invalid_state: async (scene) => {
    const own = scene.fresh();
    const request = { params: await own.params(scene.spec.path), body: await own.body(scene.spec) };
    await spoilerFor(scene)(own, request);
    return scene.send(request);
  },

  // The contract's example names a part that was not uploaded.
  upload_parts_mismatch: async (scene) => {
    const { body } = await scene.shared();
    return scene.send({ ...(await scene.sound()), body });
  },

  // Another writer changes the same item at each attempt of the request.
  write_conflict: async (scene) => {
    const request = await scene.sound();
    const { between, api } = scene.world;
    const faster = (call: Call) => changedByOthers(call, api.environment.client);
    return between.during(faster, () => scene.send(request));
  },
} as const satisfies Record<string, Provoker>;

/** Responses that any request can get at any time. */
export const circumstances = {
  'other requests change the same item': states.write_conflict,

  'its asset is being deleted': async (scene) => {
    const own = scene.fresh();
    const request = await scene.sound(own);
    await assetDeleted(own, request);
    return scene.send(request);
  },
} as const satisfies Record<string, Provoker>;

/** Brings the resources of an operation into a state in which it rejects the request. */
type Spoil = (own: Belongings, request: Request) => Promise<unknown>;

/** Operations with another reason than an asset that is being deleted. */
const spoilers: Readonly<Record<string, Spoil>> = {
  startBrandingOverlayUpload: fileChecked('branding_overlays', '/v1/branding_overlays/{overlay_id}'),
  startBrandingClipUpload: fileChecked('branding_clips', '/v1/branding_clips/{clip_id}'),
  // No upload has started.
  finishBrandingOverlayUpload: async () => {},
  finishBrandingClipUpload: async () => {},
  downloadVideoClips: clipFailed,
  cancelJob: jobEnded,
  publishClip: clipFailed,
  getAudioTrackFit: trackOriginal,
  getAudioTrackVideoDownloadUrl: trackWithoutVideo,
  testWebhook: webhookDisabled,
  redeliverEvents: webhookDisabled,
  ...allOf(/^export(?!VideoClip$)/, storageIncomplete),
  exportVideoClip: clipFailed,
  ...allOf(/^(create|update)BrandingVariant$/, aspectTaken),
  ...allOf(/^(create|update)Speaker$/, nameTaken),
  ...allOf(/^(create|update)Template$/, listFull),
  ...allOf(/^(create|update)(Blacklist|Whitelist|Dictionary)$/, templateFull),
  ...allOf(/^delete/, named),
  deleteVideoClip: clipAwaited,
};

function allOf(name: RegExp, spoil: Spoil): Record<string, Spoil> {
  const ids = operations.map(({ spec }) => spec.id).filter((id) => name.test(id));
  return Object.fromEntries(ids.map((id) => [id, spoil]));
}

function spoilerFor({ spec }: Scene): Spoil {
  const own = spoilers[spec.id];
  if (own !== undefined) return own;
  if (spec.path.startsWith('/v1/assets/{asset_id}/')) return assetDeleted;
  throw new Error(`Say in test/support/provokers/states.ts in which state ${spec.id} answers invalid_state.`);
}

async function jobEnded(own: Belongings, { params }: Request): Promise<void> {
  const { table, id } = own.tenant;
  const job = await new AllJobs(table, id).get(asJobId(params.job_id!));
  await setStatus(own, { pk: job.pk, sk: job.sk }, 'succeeded');
}

async function assetDeleted(own: Belongings, { params }: Request): Promise<void> {
  await setStatus(own, assetKey(own.tenant.id, asAssetId(params.asset_id!)), 'deleting');
}

/** The track is not a voice over. */
async function trackOriginal(own: Belongings, { params }: Request): Promise<void> {
  await own.tenant.table.update({ key: trackKey(own, params), expression: 'REMOVE dub' });
}

async function trackWithoutVideo(own: Belongings, { params }: Request): Promise<void> {
  await own.tenant.table.update({
    key: trackKey(own, params),
    expression: 'SET dub.video_key = :none',
    values: { none: null },
  });
}

const trackKey = ({ tenant }: Belongings, params: Request['params']): Key =>
  childKey(tenant.id, asAssetId(params.asset_id!), 'TRK', params.audio_track_id!);

async function webhookDisabled(own: Belongings, { params }: Request): Promise<void> {
  await own.tenant.call('PATCH', `/v1/webhooks/${params.webhook_id}`, { enabled: false });
}

async function storageIncomplete(own: Belongings): Promise<void> {
  const storage = await own.id('/v1/external_storages/{external_storage_id}');
  await own.tenant.call('PATCH', `/v1/external_storages/${storage}`, { authentication_data: null });
}

/** The branding has another variant for the aspect ratio of the request. */
async function aspectTaken(own: Belongings, { params, body }: Request): Promise<void> {
  const { aspect_ratio } = body as Record<string, unknown>;
  const variants = `/v1/brandings/${params.branding_id}/variants`;
  const itself = `${variants}/${params.variant_id}`;
  if (params.variant_id !== undefined) await own.tenant.call('PATCH', itself, { aspect_ratio: '1:1' });
  await own.tenant.call('POST', variants, { aspect_ratio });
}

async function nameTaken(own: Belongings, { params, body }: Request): Promise<void> {
  const { name } = body as Record<string, unknown>;
  await own.tenant.call('POST', `/v1/assets/${params.asset_id}/speakers`, { name });
}

/** The lists of the request are in as many templates as they can be. */
async function listFull(own: Belongings, { body }: Request): Promise<void> {
  const { blacklist_ids } = body as { readonly blacklist_ids: readonly string[] };
  for (const id of blacklist_ids)
    await own.tenant.table.update({
      key: configurationKey(own.tenant.id, 'blacklists', id),
      expression: 'SET template_id = :many',
      values: { many: Array.from({ length: 64 }, () => uuidv7()) },
    });
}

/** The template of the request is full, and the request's resource is not in it. */
async function templateFull(own: Belongings, { params: { dictionary_id } }: Request): Promise<void> {
  const dictionary = `/v1/dictionaries/${dictionary_id}`;
  if (dictionary_id !== undefined) await own.tenant.call('PATCH', dictionary, { template_id: null });
  const template = await own.id('/v1/templates/{template_id}');
  const ids = Array.from({ length: 16 }, () => uuidv7());
  await own.tenant.table.update({
    key: configurationKey(own.tenant.id, 'templates', template),
    expression: 'SET blacklist_ids = :ids, whitelist_ids = :ids, domain_dictionary_ids = :ids',
    values: { ids },
  });
}

/** Another resource refers to the one that is to be deleted. */
async function named(own: Belongings, { params }: Request): Promise<void> {
  const { call } = own.tenant;
  const post = async (path: string, body: object) => {
    const { status, text } = await call('POST', path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`);
  };
  const [name, id] = Object.entries(params).at(-1)!;
  const users: Readonly<Record<string, () => Promise<void>>> = {
    template_id: () => post('/v1/collections', { name: 'User', template_id: id }),
    collection_id: () =>
      post('/v1/views', { name: 'User', filter_params: [{ field: 'collection_id', op: 'eq', value: id }] }),
    style_id: () => post('/v1/brandings', { name: 'User', subtitle_style_id: id }),
    overlay_id: () => inVariant(own, { overlay_id: id }),
    clip_id: () => inVariant(own, { intro_id: id }),
    blacklist_id: () => post('/v1/templates', { name: 'User', blacklist_ids: [id] }),
    whitelist_id: () => post('/v1/templates', { name: 'User', whitelist_ids: [id] }),
    dictionary_id: () => post('/v1/templates', { name: 'User', domain_dictionary_ids: [id] }),
  };
  await users[name]!();
}

async function inVariant(own: Belongings, files: object): Promise<void> {
  const { branding_id } = (await own.tenant.call('POST', '/v1/brandings', { name: 'User' })).json;
  await own.tenant.call('POST', `/v1/brandings/${branding_id}/variants`, { aspect_ratio: '1:1', ...files });
}

async function clipFailed(own: Belongings): Promise<void> {
  const asset = await own.asset();
  const clip = await own.id('/v1/assets/{asset_id}/video_clips/{video_id}');
  await own.tenant.table.update({
    key: clipKey(own.tenant.id, asset, clip),
    expression: 'SET #error = :error',
    names: { '#error': 'error' },
    values: { error: { code: 'timed_out', title: 'Late', detail: 'Late.', retryable: true } },
  });
}

/** A job is going to render it. */
async function clipAwaited(own: Belongings, { params }: Request): Promise<void> {
  await own.tenant.table.update({
    key: clipKey(own.tenant.id, asAssetId(params.asset_id!), params.video_id!),
    expression: 'ADD pending :jobs',
    values: { jobs: new Set([newJobId()]) },
  });
}

function fileChecked(type: string, path: string): Spoil {
  return async (own) =>
    own.tenant.table.update({
      key: configurationKey(own.tenant.id, type, await own.id(path)),
      expression: 'SET upload_id = :upload, upload_job_id = :job',
      values: { upload: 'u', job: newJobId() },
    });
}

const setStatus = (own: Belongings, key: Key, status: string) =>
  own.tenant.table.update({
    key,
    expression: 'SET #status = :status',
    names: { '#status': 'status' },
    values: { status },
  });

interface Action {
  readonly TableName: string;
  readonly Key?: object;
  readonly Item?: { readonly pk: object; readonly sk: object };
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

/** Increases the version of every item of a conditional transaction, so that its conditions fail. */
async function changedByOthers({ action, body }: Call, client: DynamoDBClient): Promise<undefined> {
  if (action !== 'TransactWriteItems') return;
  const { TransactItems } = JSON.parse(body) as { TransactItems: Record<string, Action>[] };
  const guarded = TransactItems.flatMap((item) => Object.values(item)).filter(
    ({ ExpressionAttributeValues: values }) => values !== undefined && ':seen' in values,
  );
  for (const { TableName, Key, Item } of guarded) {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: (Key ?? { pk: Item!.pk, sk: Item!.sk }) as never,
        UpdateExpression: 'ADD #version :one',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  }
}
