/** Responses to invalid requests, and to requests with unknown references. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { OperationSpec } from '../../../contract/kit/operation.ts';
import { claim } from '../../../platform/kernel/idempotency.ts';
import { TenantTable } from '../../../platform/table/tenant-table.ts';
import { languageByCode } from '../../../shared/languages.ts';
import { english, RawBody, spanish } from '../api.ts';
import { bodyReferences, pathReferences, queryReferences, withReference } from '../references.ts';
import type { Provoker, Scene } from './scene.ts';

/** One byte more than the limit of a body. */
const tooLarge = new RawBody(JSON.stringify('x'.repeat(6 * 1024 * 1024 - 1)));

export const requests = {
  malformed_json: (scene) => withBody(scene, new RawBody('{')),
  payload_too_large: (scene) => withBody(scene, tooLarge),
  unsupported_media_type: (scene) => withBody(scene, new RawBody('{}'), { 'content-type': 'text/plain' }),
  // Not an object; every body must be one.
  validation_failed: (scene) => withBody(scene, []),

  // A query parameter that no operation has.
  invalid_parameter: async (scene) => scene.send({ ...(await scene.shared()), query: { surplus: '1' } }),
  invalid_cursor: async (scene) => scene.send({ ...(await scene.shared()), query: { cursor: 'x' } }),

  // Replaces the last id of the path. If the path has none, replaces all ids of the query.
  resource_not_found: async (scene) => {
    const request = await scene.shared();
    const last = pathReferences(scene.spec.path).at(-1);
    if (last !== undefined) {
      return scene.send({ ...request, params: { ...request.params, [last.name]: uuidv7() } });
    }
    return scene.send({ ...request, query: unknownIds(scene.spec) });
  },

  unknown_reference: async (scene) => {
    const request = await scene.shared();
    const [reference] = bodyReferences(scene.spec);
    return scene.send({ ...request, body: withReference(request.body, reference!, uuidv7()) });
  },

  // The engines of one machine recognize only English. They cannot translate speech into this language, and EBU STL has
  // no code table for Japanese.
  language_unsupported: async (scene) => {
    const request = await scene.shared();
    if (scene.spec.id === 'getStl') {
      const { tenant, own } = scene.world;
      const written = { language_id: languageByCode('ja')!.language_id };
      const transcription_id = await tenant.transcribed(await own.asset(), ['こんにちは'], written);
      return scene.send({ ...request, params: { ...request.params, transcription_id } });
    }
    const body = request.body as { language_ids?: unknown };
    const changed = body.language_ids === undefined ? { language_id: spanish } : { language_ids: [english] };
    return scene.send({ ...request, body: { ...body, ...changed } });
  },

  external_id_conflict: async (scene) => {
    const request = await scene.shared();
    const external_id = await scene.world.own.id('/v1/external/assets/{external_id}');
    return scene.send({ ...request, body: { ...(request.body as object), external_id } });
  },

  // Versions start at 1.
  precondition_failed: async (scene) => scene.send(await scene.shared(), { 'if-match': '"0"' }),

  // Another request of the operation used the key before.
  idempotency_key_reused: async (scene) => {
    const { tenant, api } = scene.world;
    const key = randomUUID();
    const another = {
      operation: scene.spec.id,
      key,
      fingerprint: 'another',
      newId: uuidv7(),
      now: new Date(),
    };
    await claim(new TenantTable(api.environment.client, 'Ephemeral', tenant.id), tenant.id, another);
    return scene.send(await scene.shared(), { 'idempotency-key': key });
  },

  // The first request waits at the database while the second one arrives.
  idempotency_in_progress: async (scene) => {
    const request = await scene.sound();
    const headers = { 'idempotency-key': randomUUID() };
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const standStill = async ({ body }: { body: string }) => {
      if (!body.includes('"Core"')) return undefined;
      arrived.resolve();
      await released.promise;
      return undefined;
    };
    return scene.world.between.during(standStill, async () => {
      const first = scene.send(request, headers);
      await Promise.race([arrived.promise, first]);
      const second = await scene.send(request, headers).finally(released.resolve);
      await first;
      return second;
    });
  },
} as const satisfies Record<string, Provoker>;

const withBody = async (scene: Scene, body: unknown, headers: Record<string, string> = {}) =>
  scene.send({ ...(await scene.shared()), body }, headers);

const unknownIds = (spec: OperationSpec) =>
  Object.fromEntries(queryReferences(spec).map(({ at }) => [String(at[0]), uuidv7()]));
