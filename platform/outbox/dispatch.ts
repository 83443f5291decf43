/**
 * Starts the deliveries of published events: one execution an event and webhook. Whoever dispatches takes up what
 * others left in the outbox, so that an event whose request died is delivered with the next one.
 */

import type { TenantId } from '../shared/tenant.ts';
import type { Executions } from '../store/executions.ts';
import type { TenantTable } from '../store/table.ts';
import { wants } from './deliveries.ts';
import { EventLog } from './events.ts';
import { type StoredDelivery, Webhooks } from './webhooks.ts';

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
   * Starts what is in the outbox. May run at several places at once: a delivery is started once by its name.
   * @param isOurs which events to leave to nobody else; all when absent
   */
  async run(now: Date, isOurs: (event: string) => boolean = () => true): Promise<void> {
    const [ids, webhooks] = await Promise.all([this.#events.unsettled(), this.#webhooks.all()]);
    for (const id of ids.filter(isOurs)) {
      const isWanted = webhooks.some(({ enabled }) => enabled);
      const event = isWanted ? await this.#events.find(id, now) : null;
      const receivers = event === null ? [] : webhooks.filter((webhook) => wants(webhook, event.type));
      for (const webhook of receivers) await this.start(await this.#webhooks.begin(webhook.id, event!, now));
      await this.#events.settle(id);
    }
  }

  /** Starts the delivery's round; once, however often it is called. */
  async start({ webhook_id, event_id, round }: StoredDelivery): Promise<void> {
    const name = [event_id, webhook_id, ...(round === 0 ? [] : [round])].join('-');
    await this.#executions().start(name, { tenant: this.#tenant, webhook_id, event_id, round });
  }
}
