/**
 * The event log of a tenant, and its outbox with the events whose deliveries have not started. The transaction of a
 * change writes an event to the log and to the outbox.
 */
import { assetView } from '../../shared/assets.ts';
import { idAt } from '../../shared/derived-ids.ts';
import type { AssetId, TenantId } from '../../shared/ids.ts';
import { checked, type EntryFailed, readableOf, text } from '../../shared/parse.ts';
import { NotFound } from '../../shared/problems.ts';
import { eventKey, outboxKey } from '../table/keys.ts';
import type { Key } from '../table/table.ts';
import type { TenantTable, Write } from '../table/tenant-table.ts';
import { assetOf, EVENT_KEPT_MS, type Event, type EventData, forgottenAt, SETTLING_MS } from './events.ts';

/**
 * The maximum number of events of the log that one request reads. If filters skip many of them, the caller continues
 * with the next request.
 */
const READ_AT_ONCE = 500;

export interface EventFilters {
  readonly type?: string | undefined;
  readonly asset_id?: AssetId | undefined;
}

export interface EventSlice {
  readonly data: readonly Event[];
  /** The position up to which the log was read. */
  readonly next_after: string | null;
  readonly has_more: boolean;
}

export function logged(tenant: TenantId, event: Event): Write {
  const expires_at = forgottenAt(new Date(event.timestamp));
  return { put: { ...eventKey(tenant, event.event_id), ...event, expires_at } };
}

/** The writes that add events to the log and start their delivery. */
export const published = (tenant: TenantId, ...events: Event[]): Write[] =>
  events.flatMap((event) => [
    logged(tenant, event),
    { announce: outboxKey(event.event_id), isAwaited: true },
  ]);

export class EventLog {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #failed: EntryFailed;

  /** @param failed called for each unreadable event, which lists leave out. By default, a list with such an event throws */
  constructor(table: TenantTable, tenant: TenantId, failed: EntryFailed = rethrow) {
    this.#table = table;
    this.#tenant = tenant;
    this.#failed = failed;
  }

  async get(id: string, now: Date): Promise<Event> {
    const event = await this.find(id, now);
    if (event === null) throw new NotFound('event', id);
    return event;
  }

  /** Null if the event does not exist, or is so old that the log no longer contains it. */
  async find(id: string, now: Date): Promise<Event | null> {
    if (id < oldest(now)) return null;
    const stored = await this.#table.get<Event>(eventKey(this.#tenant, id));
    return stored && eventOf(stored);
  }

  async findAll(ids: readonly string[], now: Date): Promise<Event[]> {
    const keys = ids.filter((id) => id >= oldest(now)).map((id) => eventKey(this.#tenant, id));
    return this.#readable(await this.#table.getAll<Event>(keys));
  }

  /**
   * Events after an id, oldest first. Leaves out events that are so new that an earlier one may still appear before
   * them.
   * @param size the maximum number of events
   */
  async read(after: string | null, size: number, filters: EventFilters, now: Date): Promise<EventSlice> {
    const { pk } = eventKey(this.#tenant, '');
    const begin = after !== null && after > oldest(now) ? after : oldest(now);
    const upTo = idAt(now.getTime() - SETTLING_MS, 'f');
    if (begin >= upTo) return { data: [], next_after: after, has_more: false };
    const { items, next } = await this.#table.query<Event>({
      pk,
      after: { pk, sk: begin },
      upTo,
      limit: isFiltered(filters) ? READ_AT_ONCE : size + 1,
      consistent: true,
    });
    const fitting = this.#readable(items).filter((event) => fits(event, filters));
    const data = fitting.slice(0, size);
    const wasCut = fitting.length > size;
    const last = wasCut ? data.at(-1)?.event_id : items.at(-1)?.sk;
    return { data, next_after: last ?? after, has_more: wasCut || next !== undefined };
  }

  #readable(stored: readonly (Event & Key)[]): Event[] {
    return readableOf(stored, ({ pk, sk }) => `${pk} ${sk}`, eventOf, this.#failed);
  }

  /** Removes an event from the outbox when its deliveries have started. */
  async settle(id: string): Promise<void> {
    await this.#table.transact([{ withdraw: outboxKey(id) }]);
  }
}

const rethrow: EntryFailed = (_, error) => {
  throw error;
};

const oldest = (now: Date) => idAt(now.getTime() - EVENT_KEPT_MS, '0');

const isFiltered = ({ type, asset_id }: EventFilters) => type !== undefined || asset_id !== undefined;

const fits = (event: Event, { type, asset_id }: EventFilters) =>
  (type === undefined || event.type === type) && (asset_id === undefined || assetOf(event) === asset_id);

/** Reads a stored event. Events of earlier versions may lack fields that assets have now. */
function eventOf(stored: unknown): Event {
  const { event_id, type, timestamp, data } = eventItem(stored);
  const view = data.asset === undefined ? data : { ...data, asset: assetView(data.asset) };
  return { event_id, type, timestamp, data: view };
}

const eventItem = checked<Event>({ event_id: text, timestamp: text, data: checked<EventData>({}) });
