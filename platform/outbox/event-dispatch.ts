/** Starts the deliveries of published events: one execution for each event and webhook. */
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import type { Executions } from '../state-machines/executions.ts';
import type { Key } from '../table/table.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { reserveTurns } from './delivery-limits.ts';
import { EventLog } from './event-log.ts';
import { type PendingDelivery, pendingKeyOf, type StoredDelivery, Webhooks, wants } from './webhooks.ts';

/** The age of a delivery, ms, from which a crashed execution is not started again. */
const RESUMED_MS = 7 * 24 * 3_600_000;

export class EventDispatch {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #events: EventLog;
  readonly #webhooks: Webhooks;
  readonly #executions: () => Executions;

  constructor(table: TenantTable, tenant: TenantId, executions: () => Executions) {
    this.#table = table;
    this.#tenant = tenant;
    this.#events = new EventLog(table, tenant);
    this.#webhooks = new Webhooks(table, tenant);
    this.#executions = executions;
  }

  /**
   * Starts the deliveries of these events. Several processes may run it at once: each name starts only one execution.
   * If one delivery fails, the others still start. Its error is thrown at the end, and its event stays in the outbox.
   */
  async run(ids: readonly string[], now: Date): Promise<void> {
    const webhooks = ids.length === 0 ? [] : await this.#webhooks.all();
    const isWanted = webhooks.some(({ enabled }) => enabled);
    await forEach(ids, async (id) => {
      const event = isWanted ? await this.#events.find(id, now) : null;
      const wanting = event === null ? [] : webhooks.filter((webhook) => wants(webhook, event.type));
      if (event !== null && wanting.length > 0) {
        const turns = await this.turns({ count: wanting.length, isRequested: false }, now);
        await forEach(wanting, async ({ id: webhook }) => {
          const due = defined(turns.shift());
          await this.start(await this.#webhooks.begin(webhook, event, due, now), now);
        });
      }
      await this.#events.settle(id);
    });
  }

  /** The times at which deliveries of the tenant may start. See `reserveTurns`. */
  turns(wanted: { readonly count: number; readonly isRequested: boolean }, now: Date): Promise<Date[]> {
    return reserveTurns(this.#table, this.#tenant, wanted, now);
  }

  /** Starts the execution for the round of the delivery. The execution waits for its turn. A repeat has no effect. */
  async start({ webhook_id, event_id, round, next_attempt_at }: StoredDelivery, now: Date): Promise<void> {
    const input = { tenant: this.#tenant, webhook_id, event_id, round };
    const wait_ms = next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - now.getTime();
    const wait_s = Math.max(0, Math.ceil(wait_ms / 1000));
    await this.#executions().start(nameOf(input), { ...input, wait_s });
  }

  /**
   * Restarts a delivery if its next attempt is overdue because its execution was never started or crashed. Ends the
   * delivery of an old event, so that no delivery stays pending. True if there was work to do.
   */
  async resume(entry: PendingDelivery & Key, now: Date): Promise<boolean> {
    const delivery = await this.#webhooks.find(entry.webhook_id, entry.event_id);
    const end =
      delivery && pendingKeyOf(delivery)?.sk === entry.sk
        ? await this.#executions().endOf(nameOf(delivery))
        : null;
    if (end === 'running') return false;
    if (delivery === null || end === null) await this.#webhooks.forget(entry);
    else if (end === 'absent') await this.start(delivery, now);
    else if (now.getTime() - Date.parse(delivery.created_at) > RESUMED_MS)
      await this.#webhooks.record(delivery, 'failed', null, null);
    else await this.start(await this.#webhooks.beginAgain(delivery, now), now);
    return true;
  }
}

/** The name of the execution of a round. A name starts only one execution. */
const nameOf = ({ event_id, webhook_id, round }: Pick<StoredDelivery, 'event_id' | 'webhook_id' | 'round'>) =>
  [event_id, webhook_id, ...(round === 0 ? [] : [round])].join('-');

/** Works on the items one by one. Continues after an error, and throws the first error at the end. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
