/** Responses for failures of the service, or of one of its parts. */
import { gzipSync } from 'node:zlib';
import { scopes } from '../../../contract/kit/scopes.ts';
import { audioTracksOf } from '../../../lambdas/voice-over/records/audio-tracks.ts';
import { asAssetId } from '../../../shared/ids.ts';
import type { Provoker, Request, Scene, World } from './scene.ts';

export const failures = {
  // Error names of DynamoDB: throttling, and an internal error.
  temporarily_unavailable: (scene) => whileFailing(scene, 'ProvisionedThroughputExceededException'),
  internal_error: (scene) => whileFailing(scene, 'ValidationException'),

  not_implemented: async (scene) => scene.send(await scene.sound()),

  // The client does not accept gzip.
  answer_too_large: async (scene) => {
    if (scene.spec.id === 'getAudioTrackFit') return scene.send(await longFit(scene));
    const { params } = await scene.shared();
    const isStl = scene.spec.id === 'getStl';
    const transcription_id = await (isStl ? manySubtitles : longTranscription)(scene.world);
    return scene.send({ params: { ...params, transcription_id } });
  },
} as const satisfies Record<string, Provoker>;

const long = new WeakMap<World, Promise<string>>();

/** Adds more than one response can contain to the shared asset. */
function longTranscription(world: World): Promise<string> {
  if (!long.has(world)) {
    const texts = Array.from({ length: 200 }, () => `"${'long'.repeat(25)}" `.repeat(400));
    const made = world.own.asset().then((asset) => world.tenant.transcribed(asset, texts));
    long.set(world, made);
  }
  return long.get(world)!;
}

/** A voice over with more segments than one response can contain. */
async function longFit(scene: Scene): Promise<Request> {
  const own = scene.fresh();
  const params = await own.params(scene.spec.path);
  const { table, objects, id } = own.tenant;
  const track = await audioTracksOf(table, id).get(asAssetId(params.asset_id!), params.audio_track_id!);
  const segment = { segment_id: params.asset_id, voice: 'v'.repeat(400), fit: {} };
  const fit = { synthesised: 0, kept: 0, segments: Array(16_000).fill(segment) };
  await objects.write(track.dub!.fit_key, gzipSync(JSON.stringify(fit)), 'application/json', 'gzip');
  return { params };
}

/** Too many blocks of EBU STL for one response, but not for one file. */
async function manySubtitles({ tenant, own }: World): Promise<string> {
  return tenant.transcribed(await own.asset(), Array(40_000).fill('Yes.'));
}

/** Languages are not a tenant's data. The request reads only the API key from the table, so the key must be new. */
async function whileFailing(scene: Scene, failure: string) {
  const table = scene.spec.path.startsWith('/v1/languages') ? '"Auth"' : '"Core"';
  const { text } = await scene.world.api.environment.newKey('acme', scopes);
  const request = await scene.shared();
  const fails = async ({ body }: { body: string }) => (body.includes(table) ? failure : undefined);
  return scene.world.between.during(fails, () => scene.send(request, { authorization: `Bearer ${text}` }));
}
