/** Webhooks of a tenant, and their deliveries. */
import type { EventType } from '../../contract/kit/event-types.ts';
import type { TenantId } from '../../shared/ids.ts';
import { checked, number, text } from '../../shared/parse.ts';
import type { Sealed } from '../../shared/secrets.ts';
import { Configuration, type Place, type Stored } from '../records/configuration.ts';
import { type PageOfIds, type Position, pageOfPartitions } from '../table/id-pages.ts';
import { absent, configurationKey, deliveryKey } from '../table/keys.ts';
import { buildUpdate, ConditionFailed } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
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
  async begin(webhook: string, { event_id, type }: Event, now: Date): Promise<StoredDelivery> {
    const delivery: StoredDelivery = {
      webhook_id: webhook,
      event_id,
      event_type: type,
      status: 'pending',
      attempts: [],
      next_attempt_at: now.toISOString(),
      created_at: now.toISOString(),
      round: 0,
    };
    const expires_at = forgottenAt(now);
    try {
      await this.#table.put(
        { ...deliveryKey(this.#tenant, webhook, event_id), ...delivery, expires_at },
        absent,
      );
      return delivery;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.current === null) throw error;
      return deliveryItem(error.current);
    }
  }

  /** Starts another round of a delivery that ended. A delivery in progress stays as it is. */
  async beginAgain(seen: StoredDelivery, now: Date): Promise<StoredDelivery> {
    const { webhook_id, event_id, round } = seen;
    const set = { status: 'pending', next_attempt_at: now.toISOString(), round: round + 1 };
    const terms = { condition: '#round = :round AND #status <> :set_status', values: { round } };
    const key = deliveryKey(this.#tenant, webhook_id, event_id);
    return deliveryItem(await this.#table.updateOrRead(buildUpdate(key, set, terms)));
  }

  /** Stores the result of an attempt. Without an attempt, stores that the delivery ended. */
  async record(
    delivery: StoredDelivery,
    status: DeliveryStatus,
    attempt: Attempt | null,
    nextAttemptAt: string | null,
  ): Promise<void> {
    const { webhook_id, event_id, round, attempts } = delivery;
    const kept = attempt === null ? attempts : [...attempts, attempt].slice(-ATTEMPTS_KEPT);
    const set = { status, attempts: kept, next_attempt_at: nextAttemptAt };
    const key = deliveryKey(this.#tenant, webhook_id, event_id);
    // Refused if another round has started meanwhile, and has replaced this one.
    await this.#table.tryUpdate(buildUpdate(key, set, { condition: '#round = :round', values: { round } }));
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
