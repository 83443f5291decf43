/** Answers that depend on the state in which things are, or on what others do to them at the same time. */
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { assetKey, clipKey, configurationKey } from '../../../platform/store/keys.ts';
import type { Key } from '../../../platform/store/table.ts';
import type { Belongings } from '../belongings.ts';
import type { Call } from '../dynamodb-between.ts';
import type { Provoker, Request, Scene } from './scene.ts';

export const states = {
  invalid_state: async (scene) => {
    const own = scene.fresh();
    const request = { params: await own.params(scene.spec.path), body: await own.body(scene.spec) };
    await spoilerFor(scene)(own, request);
    return scene.send(request);
  },

  // The contract's example names a part that nobody sent.
  upload_parts_mismatch: async (scene) => {
    const { body } = await scene.shared();
    return scene.send({ ...(await scene.sound()), body });
  },

  // Others write what the request is about to write, each time that it tries.
  write_conflict: async (scene) => {
    const request = await scene.sound();
    const { between, api } = scene.world;
    const faster = (call: Call) => changedByOthers(call, api.environment.client);
    return between.during(faster, () => scene.send(request));
  },
} as const satisfies Record<string, Provoker>;

/** What can happen to any request at any time. */
export const circumstances = {
  'others write the same': states.write_conflict,

  'its asset is being deleted': async (scene) => {
    const own = scene.fresh();
    const request = await scene.sound(own);
    await assetDeleted(own, request);
    return scene.send(request);
  },
} as const satisfies Record<string, Provoker>;

/** Brings what an operation needs into a state in which it refuses. */
type Spoil = (own: Belongings, request: Request) => Promise<unknown>;

/** Operations whose reason is not that the asset of their path is being deleted. */
const spoilers: Readonly<Record<string, Spoil>> = {
  startBrandingOverlayUpload: fileReady('branding_overlays', '/v1/branding_overlays/{overlay_id}'),
  startBrandingClipUpload: fileReady('branding_clips', '/v1/branding_clips/{clip_id}'),
  // No upload was started.
  finishBrandingOverlayUpload: async () => {},
  finishBrandingClipUpload: async () => {},
  downloadVideoClips: clipFailed,
  exportVideoClip: clipFailed,
  publishClip: clipFailed,
  testWebhook: webhookDisabled,
  redeliverEvents: webhookDisabled,
};

function spoilerFor({ spec }: Scene): Spoil {
  const own = spoilers[spec.id];
  if (own !== undefined) return own;
  if (spec.path.startsWith('/v1/assets/{asset_id}/')) return assetDeleted;
  throw new Error(`Say in test/support/provokers/states.ts in which state ${spec.id} answers invalid_state.`);
}

async function assetDeleted(own: Belongings, { params }: Request): Promise<void> {
  await setStatus(own, assetKey(own.tenant.id, params.asset_id!), 'deleting');
}

async function webhookDisabled(own: Belongings, { params }: Request): Promise<void> {
  await own.tenant.call('PATCH', `/v1/webhooks/${params.webhook_id}`, { enabled: false });
}

async function clipFailed(own: Belongings): Promise<void> {
  const asset = await own.id('/v1/assets/{asset_id}');
  const clip = await own.id('/v1/assets/{asset_id}/video_clips/{video_id}');
  await setStatus(own, clipKey(own.tenant.id, asset, clip), 'failed');
}

function fileReady(type: string, path: string): Spoil {
  return async (own) => setStatus(own, configurationKey(own.tenant.id, type, await own.id(path)), 'ready');
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

/** Raises the version of everything that a transaction writes only where its version is the one that was seen. */
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
