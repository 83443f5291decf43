/** Starts the deliveries of published events: one execution for each event and webhook. */
import type { TenantId } from '../../shared/ids.ts';
import type { Executions } from '../state-machines/executions.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { EventLog } from './event-log.ts';
import { type StoredDelivery, Webhooks, wants } from './webhooks.ts';

export class EventDispatch {
  readonly #tenant: TenantId;
  readonly #events: EventLog;
  readonly #webhooks: Webhooks;
  readonly #executions: () => Executions;

  constructor(table: TenantTable, tenant: TenantId, executions: () => Executions) {
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
      if (event !== null)
        await forEach(webhooks, async (webhook) => {
          if (!wants(webhook, event.type)) return;
          await this.start(await this.#webhooks.begin(webhook.id, event, now));
        });
      await this.#events.settle(id);
    });
  }

  async start({ webhook_id, event_id, round }: StoredDelivery): Promise<void> {
    const name = [event_id, webhook_id, ...(round === 0 ? [] : [round])].join('-');
    await this.#executions().start(name, { tenant: this.#tenant, webhook_id, event_id, round });
  }
}

/** Works on the items one by one. After an error it goes on, and throws the first error at the end. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
