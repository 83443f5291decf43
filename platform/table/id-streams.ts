/** Streams of ids, newest first. A stream reads one partition in steps. Streams can be united or intersected. */
import { itemAt } from '../../shared/checked-access.ts';
import { type IdRange, type IdSource, lower, predecessor } from './id-ranges.ts';

/** Entries of the first read: enough for most pages. */
const FIRST_READ = 128;
/** Each further read is this many times larger than the previous one, as long as its entries are used. */
const GROWTH = 4;
/** The maximum number of entries of a read: about a megabyte, the limit of a Query. */
const LARGEST_READ = 8_192;

export interface IdStream {
  /** The number of entries before the current position. */
  readonly passed: number;
  /** The greatest id that is not above `ceiling`; undefined at the end. */
  seek(ceiling: string | undefined): Promise<string | undefined>;
}

/** The ids of several streams, each once. */
export function unionOf(streams: readonly IdStream[]): IdStream {
  if (streams.length === 1) return itemAt(streams, 0);
  return {
    get passed() {
      return streams.reduce((sum, { passed }) => sum + passed, 0);
    },
    seek: async (ceiling) => {
      const found = await Promise.all(streams.map((stream) => stream.seek(ceiling)));
      return found.reduce((best, id) => (best === undefined || (id !== undefined && id > best) ? id : best));
    },
  };
}

/** The ids of one partition in descending order. It reads the next ids only when they are needed. */
export class PartitionStream implements IdStream {
  readonly #table: IdSource;
  readonly #range: Omit<IdRange, 'limit'>;
  #buffer: readonly string[] = [];
  #at = 0;
  #passed = 0;
  #next: string | undefined;
  #isExhausted = false;
  #limit = FIRST_READ;
  /** How many ids of the buffer were returned. */
  #hits = 0;

  constructor(table: IdSource, range: Omit<IdRange, 'limit'>) {
    this.#table = table;
    this.#range = range;
    this.#next = range.upTo;
  }

  get passed(): number {
    return this.#passed + this.#at;
  }

  async seek(ceiling: string | undefined): Promise<string | undefined> {
    for (;;) {
      for (; this.#at < this.#buffer.length; this.#at += 1) {
        const id = itemAt(this.#buffer, this.#at);
        if (ceiling !== undefined && id > ceiling) continue;
        this.#hits += 1;
        return id;
      }
      if (this.#isExhausted) return undefined;
      await this.#read(lower(this.#next, ceiling));
    }
  }

  /** Reads the next ids. If at most one id of the last read was used, the stream jumps through the list: small reads are then cheaper. */
  async #read(upTo: string | undefined): Promise<void> {
    const isFirst = this.#buffer.length === 0;
    if (!isFirst) this.#limit = this.#hits > 1 ? Math.min(this.#limit * GROWTH, LARGEST_READ) : FIRST_READ;
    const { ids, next } = await this.#table.ids({ ...this.#range, upTo, limit: this.#limit });
    this.#passed += this.#buffer.length;
    this.#buffer = ids;
    this.#at = 0;
    this.#hits = 0;
    this.#next = next;
    this.#isExhausted = next === undefined;
  }
}

export async function* intersection(
  streams: readonly IdStream[],
  from: string | undefined,
): AsyncGenerator<string> {
  // The first reads run in parallel.
  await Promise.all(streams.map((stream) => stream.seek(from)));
  let ceiling = from;
  for (;;) {
    const candidate = await agreed(streams, ceiling);
    if (candidate === undefined) return;
    yield candidate;
    ceiling = predecessor(candidate);
  }
}

/** The greatest id up to `from` that all streams contain. Each stream lowers `ceiling` until all agree. */
async function agreed(streams: readonly IdStream[], from: string | undefined): Promise<string | undefined> {
  let ceiling = from;
  for (let holding = 0, at = 0; holding < streams.length; at = (at + 1) % streams.length) {
    const id = await itemAt(streams, at).seek(ceiling);
    if (id === undefined) return undefined;
    holding = id === ceiling ? holding + 1 : 1;
    ceiling = id;
  }
  return ceiling;
}
