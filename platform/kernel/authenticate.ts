/** Authentication: checks the Bearer key against its stored hash. Results are cached for at most a minute. */
import type { Scope } from '../../contract/kit/scopes.ts';
import { type ApiKey, keyIdOf, matchesHash } from '../../shared/api-keys.ts';
import { Problem } from '../../shared/problems.ts';
import type { ApiKeys } from '../records/api-keys.ts';

const CACHE_MS = 60_000;
/** The maximum number of keys in the cache. It limits the memory that a caller with many keys can use. */
const CACHE_KEYS = 1_000;

export type KeyStore = Pick<ApiKeys, 'find'>;

/** Verifies `Authorization` values. Only keys that exist are cached, so that a new key works at once. */
export class Authenticator {
  readonly #keys: KeyStore;
  readonly #now: () => Date;
  readonly #cache = new Map<string, { key: ApiKey; until: number }>();

  constructor(keys: KeyStore, now: () => Date) {
    this.#keys = keys;
    this.#now = now;
  }

  /** Returns the caller's key, and the problem if the key is revoked, suspended or expired. Throws if the key does not exist. */
  async identify(authorization: string | undefined): Promise<{ key: ApiKey; refusal: Problem | null }> {
    const text = bearerToken(authorization);
    const id = keyIdOf(text);
    if (id === null) throw invalidKey('It is not a complete Kinora key.');
    const key = await this.#find(id);
    if (key === null || !matchesHash(text, key.hash)) throw unknownKey();
    return { key, refusal: this.#refusalOf(key) };
  }

  #refusalOf({ status, expires_at }: ApiKey): Problem | null {
    if (status === 'revoked') return unknownKey();
    if (expires_at !== null && Date.parse(expires_at) <= this.#now().getTime()) {
      return new Problem('expired_api_key', `The API key expired at ${expires_at}.`);
    }
    if (status !== 'suspended') return null;
    return new Problem('tenant_suspended', 'The tenant of this API key is suspended.');
  }

  async #find(id: string): Promise<ApiKey | null> {
    const now = this.#now().getTime();
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > now) return cached.key;
    const key = await this.#keys.find(id);
    if (key === null) return null;
    if (this.#cache.size >= CACHE_KEYS) this.#cache.clear();
    this.#cache.set(id, { key, until: now + CACHE_MS });
    return key;
  }
}

export function authorize(key: ApiKey, scope: Scope | null): void {
  if (scope === null || key.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', `The API key lacks the scope ${scope}.`);
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new Problem('missing_credentials', 'Send the header `Authorization: Bearer <API_KEY>`.');
  }
  const match = /^Bearer +([^\s]+) *$/i.exec(authorization);
  if (match?.[1] === undefined) throw invalidKey('The Authorization header is not `Bearer <API_KEY>`.');
  return match[1];
}

const invalidKey = (why: string) => new Problem('invalid_api_key', `The API key is not valid. ${why}`);
const unknownKey = () => invalidKey('It is unknown here or was revoked.');
