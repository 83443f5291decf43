/** Webhooks of a tenant, and their deliveries. */
import type { EventType } from '../../contract/kit/event-types.ts';
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { checked, number, text } from '../../shared/parse.ts';
import type { Sealed } from '../../shared/secrets.ts';
import { Configuration, type Place, type Stored } from '../records/configuration.ts';
import { type PageOfIds, type Position, pageOfPartitions } from '../table/id-pages.ts';
import { absent, configurationKey, deliveryKey, pendingDeliveryKey } from '../table/keys.ts';
import { buildUpdate, type Key } from '../table/table.ts';
import { type TenantTable, TransactionRefused, type Write } from '../table/tenant-table.ts';
import { type Event, forgottenAt } from './events.ts';

export interface StoredWebhook extends Stored, WebhookChoice {
  readonly url: string;
  readonly disabled_reason: 'gone' | 'failing' | null;
  /** Newest first. */
  readonly secrets: readonly StoredSecret[];
}

export interface StoredSecret {
  readonly sealed: Sealed;
  /** When the secret stops signing; null for the newest. */
  readonly expires_at: string | null;
}

export interface StoredDelivery extends Delivery {
  /** The number of times that a caller asked for the delivery again. Each time, the attempts start again. */
  readonly round: number;
}

const deliveryItem = checked<StoredDelivery>({ webhook_id: text, event_id: text, round: number });

export const webhooks: Place = { type: 'webhooks', kind: 'webhook' };

/** The entry of a pending delivery, which the sweep reads if the next attempt does not happen. */
export interface PendingDelivery {
  readonly tenant: TenantId;
  readonly webhook_id: string;
  readonly event_id: string;
}

/** The key of the entry. Null if the delivery has ended. */
export const pendingKeyOf = ({ webhook_id, event_id, next_attempt_at: next }: Delivery): Key | null =>
  next === null ? null : pendingDeliveryKey(webhook_id, event_id, next);

function pendingOf(delivery: Delivery) {
  const { webhook_id, event_id } = delivery;
  return { ...defined(pendingKeyOf(delivery)), webhook_id, event_id };
}

/** The writes that move the entry of a delivery to the time of its next attempt. */
function moved(before: Delivery, after: Delivery): Write[] {
  const [from, to] = [pendingKeyOf(before), pendingKeyOf(after)];
  // A transaction may write an item only once.
  if (from?.sk === to?.sk) return [];
  return [...(from ? [{ withdraw: from }] : []), ...(to ? [{ announce: pendingOf(after) }] : [])];
}

/** The maximum number of attempts that a delivery stores. */
const ATTEMPTS_KEPT = 50;
/** How many of the latest deliveries decide whether a webhook is failing. */
const LATEST = 10;

export class Webhooks {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #configuration: Configuration;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
    this.#configuration = new Configuration(table, tenant);
  }

  async get(id: string): Promise<StoredWebhook> {
    return (await this.#configuration.get(webhooks, id)) as StoredWebhook;
  }

  all(): Promise<StoredWebhook[]> {
    const { pk } = configurationKey(this.#tenant, webhooks.type, '');
    return this.#table.queryAll<StoredWebhook>({ pk, consistent: true });
  }

  async change(id: string, now: Date, change: (current: StoredWebhook) => Partial<StoredWebhook>) {
    const made = await this.#configuration.update(webhooks, id, {
      now,
      change: (current) => change(current as StoredWebhook),
    });
    return made as StoredWebhook;
  }

  find(webhook: string, event: string): Promise<StoredDelivery | null> {
    return this.#table.get<StoredDelivery>(deliveryKey(this.#tenant, webhook, event));
  }

  /** Creates the first delivery of an event, and returns it. A repeat returns the existing delivery. */
  async begin(webhook: string, { event_id, type }: Event, due: Date, now: Date): Promise<StoredDelivery> {
    const delivery: StoredDelivery = {
      webhook_id: webhook,
      event_id,
      event_type: type,
      status: 'pending',
      attempts: [],
      next_attempt_at: due.toISOString(),
      created_at: now.toISOString(),
      round: 0,
    };
    const expires_at = forgottenAt(now);
    const put = { ...deliveryKey(this.#tenant, webhook, event_id), ...delivery, expires_at };
    return this.#transact([{ put, condition: absent }, { announce: pendingOf(delivery) }], delivery);
  }

  /** Starts another round of a delivery whose round has ended. If another caller did so meanwhile, returns its round. */
  async beginAgain(seen: StoredDelivery, due: Date): Promise<StoredDelivery> {
    const set = { status: 'pending', next_attempt_at: due.toISOString(), round: seen.round + 1 } as const;
    const made = { ...seen, ...set };
    return this.#transact([this.#updateOf(seen, set), ...moved(seen, made)], made);
  }

  /** Stores the result of an attempt. Without an attempt, stores that the delivery ended. */
  async record(
    delivery: StoredDelivery,
    status: DeliveryStatus,
    attempt: Attempt | null,
    nextAttemptAt: string | null,
  ): Promise<void> {
    const { attempts } = delivery;
    const kept = attempt === null ? attempts : [...attempts, attempt].slice(-ATTEMPTS_KEPT);
    const set = { status, attempts: kept, next_attempt_at: nextAttemptAt };
    const made = { ...delivery, ...set };
    await this.#transact([this.#updateOf(delivery, set), ...moved(delivery, made)], made);
  }

  /** The update of the round. It is refused if another round has started meanwhile, and has replaced this one. */
  #updateOf({ webhook_id, event_id, round }: StoredDelivery, set: Partial<StoredDelivery>): Write {
    const key = deliveryKey(this.#tenant, webhook_id, event_id);
    return { update: buildUpdate(key, set, { condition: '#round = :round', values: { round } }) };
  }

  /** Returns the delivery as it is now: `made`, or the stored one if the first write is refused. */
  async #transact(writes: readonly Write[], made: StoredDelivery): Promise<StoredDelivery> {
    try {
      await this.#table.transact(writes);
      return made;
    } catch (error) {
      const current = error instanceof TransactionRefused ? error.actions[0]?.current : null;
      if (current === null || current === undefined) throw error;
      return deliveryItem(current);
    }
  }

  /** Removes an entry of the pending deliveries that has no delivery any more. */
  async forget(entry: Key): Promise<void> {
    await this.#table.transact([{ withdraw: entry }]);
  }

  async isFailing(webhook: string): Promise<boolean> {
    const { pk } = deliveryKey(this.#tenant, webhook, '');
    const { items } = await this.#table.query<Delivery>({ pk, newestFirst: true, limit: LATEST });
    return items.every(({ status }) => status !== 'delivered');
  }

  /** One page of the deliveries of a webhook, newest first. */
  page(webhook: string, position: Position, size: number): Promise<PageOfIds> {
    return pageOfPartitions(this.#table, {
      groups: [[deliveryKey(this.#tenant, webhook, '').pk]],
      position,
      size,
    });
  }

  getMany(webhook: string, events: readonly string[]): Promise<StoredDelivery[]> {
    return this.#table.getAll(events.map((event) => deliveryKey(this.#tenant, webhook, event)));
  }
}

export function deliveryView({ round: _, ...delivery }: StoredDelivery): Delivery {
  const { webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at } = delivery;
  return { webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at };
}

export interface WebhookChoice {
  readonly enabled: boolean;
  readonly event_types: readonly EventType[] | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'canceled';

export interface Attempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
}

export interface Delivery {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export const wants = ({ enabled, event_types }: WebhookChoice, type: EventType): boolean =>
  enabled && (event_types === null || event_types.includes(type));
