/**
 * Idempotency-Key on every POST (IETF draft-ietf-httpapi-idempotency-key-header): for 24 hours, per tenant and
 * operation, a repeat receives the first response. Only successes are stored. A request that failed changed nothing, so
 * its repeat runs again. The record also stores the id of the resource that the request creates, so that a repeat after
 * a crash creates the same resource.
 */
import { createHash } from 'node:crypto';
import type { TenantId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import { idempotencyKey } from '../table/keys.ts';
import { ConditionFailed, type Item } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import type { HttpReply } from './http.ts';

const KEEP_S = 24 * 3600;
/** Age in seconds from which an unfinished request counts as crashed. It is longer than any API Lambda may run. */
const LOCK_S = 60;

/** The largest response that is stored, in bytes. An item holds 400 KB with all its attributes (AWS doc: ServiceQuotas). */
const KEEP_BYTES = 350_000;

const SHAPE = /^[\x21-\x7e]{1,255}$/;

export interface IdempotencyRecord extends Item {
  readonly request_hash: string;
  readonly state: 'running' | 'done';
  readonly resource_id: string;
  readonly locked_until: number;
  readonly expires_at: number;
  readonly reply?: HttpReply;
}

export interface Claim {
  readonly resourceId: string;
  /** Stores the response for repeats. */
  finish(reply: HttpReply): Promise<void>;
  release(): Promise<void>;
}

export interface Claimed {
  readonly operation: string;
  readonly key: string;
  /** Identifies the path and body: equal requests have equal fingerprints. */
  readonly fingerprint: string;
  readonly newId: string;
  readonly now: Date;
}

/** Returns the first response, if there is one, or else the right to run the request. */
export async function claim(
  table: TenantTable,
  tenant: TenantId,
  { operation, key, fingerprint, newId, now }: Claimed,
): Promise<{ replay: HttpReply } | { claim: Claim }> {
  if (!SHAPE.test(key)) {
    throw new Problem('invalid_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
      findings: [
        { parameter: 'Idempotency-Key', code: 'invalid_format', detail: 'Send a UUID, for example.' },
      ],
    });
  }
  const seconds = Math.floor(now.getTime() / 1000);
  const id = idempotencyKey(tenant, operation, key);
  const request_hash = createHash('sha256').update(fingerprint).digest('base64');
  const fresh: IdempotencyRecord = {
    ...id,
    request_hash,
    state: 'running',
    resource_id: newId,
    locked_until: seconds + LOCK_S,
    expires_at: seconds + KEEP_S,
  };
  const resourceId = await lock(table, fresh, seconds);
  if (typeof resourceId !== 'string') return { replay: resourceId.reply };
  const release = async () => {
    await table.update({ key: id, expression: 'SET locked_until = :zero', values: { zero: 0 } });
  };
  const finish = async (reply: HttpReply) => {
    // Without a stored response, a repeat runs the request again, and returns the resource with the same id.
    if (Buffer.byteLength(reply.body) > KEEP_BYTES) return release();
    await table.put({ ...fresh, resource_id: resourceId, state: 'done', reply });
  };
  return { claim: { resourceId, finish, release } };
}

/** Takes the lock and returns the resource id to use, or returns the stored response. */
async function lock(
  table: TenantTable,
  fresh: IdempotencyRecord,
  seconds: number,
): Promise<string | { reply: HttpReply }> {
  try {
    await table.put(fresh, 'attribute_not_exists(pk) OR expires_at <= :now', { now: seconds });
    return fresh.resource_id;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.current === null) throw error;
    const found = error.current as IdempotencyRecord;
    if (found.request_hash !== fresh.request_hash) {
      throw new Problem('idempotency_key_reused', 'A different request used this Idempotency-Key before.');
    }
    if (found.reply !== undefined) return { reply: found.reply };
    return relock(table, found, fresh, seconds);
  }
}

/** Continues a request that crashed or failed, with its first resource id. */
async function relock(
  table: TenantTable,
  found: IdempotencyRecord,
  fresh: IdempotencyRecord,
  seconds: number,
): Promise<string> {
  const { isDone } = await table.tryUpdate({
    key: fresh,
    expression: 'SET locked_until = :until, expires_at = :expires',
    values: { until: fresh.locked_until, expires: fresh.expires_at, now: seconds, running: 'running' },
    condition: 'locked_until <= :now AND #state = :running',
    names: { '#state': 'state' },
  });
  if (isDone) return found.resource_id;
  const detail = 'The first request with this Idempotency-Key has not finished.';
  throw new Problem('idempotency_in_progress', detail, { headers: { 'Retry-After': '1' } });
}
