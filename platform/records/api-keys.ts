/**
 * API keys in the Auth table: one item for each key, and one entry under its tenant for lists. The operator's limits of
 * the tenant are an item beside the entries, and are copied to every key, so that one read returns the key and the limits.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Scope } from '../../contract/kit/scopes.ts';
import { type ApiKey, hashOfKey, type KeyMode, newApiKey } from '../../shared/api-keys.ts';
import type { TenantId } from '../../shared/ids.ts';
import {
  checked,
  nullable,
  number,
  oneOf,
  orElse,
  recordOf,
  shape,
  tenantId,
  text,
} from '../../shared/parse.ts';
import { type Limits, unlimited } from '../../shared/usage.ts';
import { absent, present } from '../table/keys.ts';
import { buildUpdate, Table } from '../table/table.ts';

const keyOf = (id: string) => ({ pk: `KEY#${id}`, sk: 'KEY' });
const entryOf = ({ id, tenant }: Pick<ApiKey, 'id' | 'tenant'>) => ({
  pk: `TENANT#${tenant}`,
  sk: `KEY#${id}`,
});
const limitsKeyOf = (tenant: TenantId) => ({ pk: `TENANT#${tenant}`, sk: 'LIMITS' });
const suspensionKeyOf = (tenant: TenantId) => ({ pk: `TENANT#${tenant}`, sk: 'SUSPENDED' });

const limitsItem = shape({
  requests_per_minute: nullable(number),
  concurrent_jobs: nullable(number),
  quotas: recordOf(number),
});
const keyItem = checked<ApiKey>({
  id: text,
  tenant: tenantId,
  mode: orElse(nullable(oneOf('live', 'test')), null),
  hash: text,
  status: oneOf('active', 'revoked', 'suspended'),
  expires_at: nullable(text),
  limits: orElse(limitsItem, unlimited),
});

export interface NewKey {
  readonly tenant: TenantId;
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
  readonly name?: string;
  /** ISO 8601; absent for a key that does not expire. */
  readonly expiresAt?: string;
}

export class ApiKeys {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table);
  }

  /** The key of that id, or null. Read consistently, so that a new key works at once. */
  async find(id: string): Promise<ApiKey | null> {
    const item = await this.#table.get(keyOf(id));
    return item === null ? null : keyFrom(keyItem(item));
  }

  /** Makes a key. Only this result contains its text. A key of a suspended tenant is suspended too, until `resume`. */
  async create(
    { tenant, scopes, mode, name = '', expiresAt }: NewKey,
    now = new Date(),
  ): Promise<{ key: ApiKey; text: string }> {
    const { id, text } = newApiKey(mode);
    const key: ApiKey = {
      id,
      tenant,
      name,
      mode,
      hash: hashOfKey(text),
      scopes,
      status: (await this.#isSuspended(tenant)) ? 'suspended' : 'active',
      created_at: now.toISOString(),
      expires_at: expiresAt ?? null,
      limits: await this.limitsOf(tenant),
    };
    // The entry is written first: an entry without a key is not listed, but a key without an entry could not be found.
    await this.#table.put(entryOf(key));
    await this.#table.put({ ...keyOf(id), ...key }, absent);
    return { key, text };
  }

  /** Ends a key as `revoke` does, and deletes all its data: for keys that do not need a history. */
  async remove(key: Pick<ApiKey, 'id' | 'tenant'>): Promise<void> {
    await this.#table.delete(keyOf(key.id));
    await this.#table.delete(entryOf(key));
  }

  /** All keys of a tenant, oldest first, without their hashes. */
  async list(tenant: TenantId): Promise<Omit<ApiKey, 'hash'>[]> {
    const { items } = await this.#table.query({
      pk: `TENANT#${tenant}`,
      beginsWith: 'KEY#',
      // Reads consistently, so that the list contains new keys.
      consistent: true,
    });
    const ids = items.map(({ sk }) => sk.slice('KEY#'.length));
    const keys = await Promise.all(ids.map((id) => this.find(id)));
    return keys
      .filter((key) => key !== null)
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
      .map(({ hash: _, ...rest }) => rest);
  }

  /** Ends a key at once, or within a minute where it is cached. False if the key does not exist. */
  async revoke(id: string): Promise<boolean> {
    return this.#set(id, { status: 'revoked' });
  }

  /** Refuses all present and future keys of a tenant within a minute. Returns the ids of the keys that were active. */
  async suspend(tenant: TenantId): Promise<string[]> {
    await this.#table.put(suspensionKeyOf(tenant));
    return this.#changeAll(tenant, 'active', 'suspended');
  }

  /** Activates the suspended keys of a tenant, and returns their ids. Revoked keys stay revoked. */
  async resume(tenant: TenantId): Promise<string[]> {
    await this.#table.delete(suspensionKeyOf(tenant));
    return this.#changeAll(tenant, 'suspended', 'active');
  }

  async #changeAll(tenant: TenantId, from: ApiKey['status'], to: ApiKey['status']): Promise<string[]> {
    const ids = (await this.list(tenant)).filter(({ status }) => status === from).map(({ id }) => id);
    for (const id of ids) await this.#set(id, { status: to }, from);
    return ids;
  }

  /**
   * Makes a new key with the tenant, name, scopes, mode and expiry of the old key. The old key works until
   * `overlapUntil`, or until its own expiry if that is earlier. Null if the old key is not active or has expired.
   * @param renewal the mode if the old key stores none, and the expiry of the new key
   */
  async rotate(
    id: string,
    overlapUntil: Date,
    renewal: { readonly mode: KeyMode; readonly expiresAt?: string },
    now = new Date(),
  ): Promise<{ key: ApiKey; text: string; oldExpiresAt: string } | null> {
    const old = await this.find(id);
    const expiry = old?.expires_at ?? null;
    const isExpired = expiry !== null && Date.parse(expiry) <= now.getTime();
    if (old === null || old.status !== 'active' || isExpired) return null;
    const { tenant, scopes, name, mode } = old;
    const expiresAt = renewal.expiresAt ?? expiry;
    const made = await this.create(
      { tenant, scopes, name, mode: mode ?? renewal.mode, ...(expiresAt !== null && { expiresAt }) },
      now,
    );
    const oldExpiresAt =
      expiry !== null && Date.parse(expiry) < overlapUntil.getTime() ? expiry : overlapUntil.toISOString();
    await this.#set(id, { expires_at: oldExpiresAt });
    return { ...made, oldExpiresAt };
  }

  /** Sets the limits of a tenant, for all its keys; in force within a minute. */
  async setLimits(tenant: TenantId, limits: Limits): Promise<void> {
    await this.#table.put({ ...limitsKeyOf(tenant), ...limits });
    for (const { id } of await this.list(tenant)) await this.#set(id, { limits });
  }

  /** The limits of a tenant. The constant `unlimited` if the operator never set any. */
  async limitsOf(tenant: TenantId): Promise<Limits> {
    const item = await this.#table.get(limitsKeyOf(tenant));
    return item === null ? unlimited : limitsItem(item);
  }

  async #isSuspended(tenant: TenantId): Promise<boolean> {
    return (await this.#table.get(suspensionKeyOf(tenant))) !== null;
  }

  /** Changes a key. False if the key does not exist, or does not have the status `status`. */
  async #set(id: string, change: Partial<ApiKey>, status?: ApiKey['status']): Promise<boolean> {
    const condition =
      status === undefined ? { condition: present } : { condition: '#status = :status', values: { status } };
    return (await this.#table.tryUpdate(buildUpdate(keyOf(id), change, condition))).isDone;
  }
}

function keyFrom(item: ApiKey): ApiKey {
  const {
    id,
    tenant,
    name,
    mode = null,
    hash,
    scopes,
    status,
    created_at,
    expires_at,
    limits = unlimited,
  } = item;
  return { id, tenant, name, mode, hash, scopes, status, created_at, expires_at, limits };
}
