/** Responses that come before the request is checked: authentication, permissions and rate limits. */
import { uuidv7 } from 'uuidv7';
import { scopes } from '../../../contract/kit/scopes.ts';
import { MAX_WEBHOOKS } from '../../../lambdas/webhooks/rules/standard-webhooks.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { Belongings } from '../belongings.ts';
import type { Provoker, Scene } from './scene.ts';

export const gate = {
  missing_credentials: (scene) => calledBy(scene, ''),

  // Makes the key's checksum wrong.
  invalid_api_key: (scene) => calledBy(scene, `Bearer ${scene.world.tenant.key.slice(0, -1)}-`),

  expired_api_key: async (scene) => {
    const { key, api } = scene.world;
    const make = () => api.environment.newKey('acme', scopes, '2020-01-01T00:00:00.000Z');
    return calledBy(scene, `Bearer ${await key('expired', make)}`);
  },

  // Every permission except the required one.
  insufficient_scope: async (scene) => {
    const { key, api } = scene.world;
    const { scope } = scene.spec;
    const others = scopes.filter((other) => other !== scope);
    const make = () => api.environment.newKey('acme', others);
    return calledBy(scene, `Bearer ${await key(`without ${scope}`, make)}`);
  },

  tenant_suspended: async (scene) => {
    const { key, api } = scene.world;
    const make = async () => {
      const made = await api.environment.newKey('suspended', scopes);
      await api.environment.keys.suspend(asTenantId('suspended'));
      return made;
    };
    return calledBy(scene, `Bearer ${await key('suspended', make)}`);
  },

  // No requests are left; the limit renews when the minute ends.
  rate_limited: async (scene) => {
    const { key, api } = scene.world;
    const limits = { requests_per_minute: 0, concurrent_jobs: null, quotas: {} };
    const make = async () => {
      await api.environment.keys.setLimits(asTenantId('hurried'), limits);
      return api.environment.newKey('hurried', scopes);
    };
    return calledBy(scene, `Bearer ${await key('hurried', make)}`);
  },

  // A tenant of its own. Its quota ends after everything is prepared for the request.
  quota_exceeded: async (scene) => {
    const { environment, tenant } = scene.world.api;
    const name = `quota-${uuidv7()}`;
    const request = await scene.sound(new Belongings(await tenant(name)));
    const limits = {
      requests_per_minute: null,
      concurrent_jobs: null,
      quotas: { uploads: 0, translated_characters: 0, spoken_characters: 0, rendered_minutes: 0 },
    };
    await environment.keys.setLimits(asTenantId(name), limits);
    const { text } = await environment.newKey(name, scopes);
    // Other quotas than uploads end when they are used up.
    for (let left = MAX_WEBHOOKS; ; left -= 1) {
      const answer = await scene.send(request, { authorization: `Bearer ${text}` });
      if (answer.status >= 400 || left === 0) return answer;
    }
  },
} as const satisfies Record<string, Provoker>;

const calledBy = async (scene: Scene, authorization: string) =>
  scene.send(await scene.shared(), { authorization });
