/** Reads a source in blocks, and caches the last blocks. For a sequential reader, requests become larger and are sent in advance. */

import { lastOf } from '../../shared/checked-access.ts';
import type { RangeSource } from '../../shared/media.ts';

/** The size of a block. A seek reads one block, which contains about one second of packets. */
const BLOCK_BYTES = 256 * 1024;
/** During sequential reading, requests double in size up to this many blocks: 4 MiB. */
const MAX_SPAN_BLOCKS = 16;
/** A reader that skips up to 1 MiB still counts as sequential: reading the gap takes no longer than another request. */
const GAP_BLOCKS = 4;
/** The number of requests that are sent in advance of a sequential reader. */
const READ_AHEAD = 2;
/** Requests are sent in advance from this request of a sequence on, after 7.75 MiB. A probe of the first packets reads less. */
const READ_AHEAD_FROM = 6;
/** The maximum number of sequences that are followed at once. Picture, sound and index may be far apart in the file. */
const MAX_RUNS = 4;
const CACHE_BYTES = 64 << 20;

/** The blocks of one request, which is the nth request of its sequence. */
type Span = { first: number; blocks: number; nth: number; bytes: Promise<Uint8Array> };
/** A sequence of requests: the next block, the size of the next request in blocks, and the number of requests so far. */
type Run = { next: number; window: number; requests: number };

export class Blocks {
  readonly size: number;
  readonly #source: RangeSource;
  readonly #signal: AbortSignal;
  /** Maps each block to its span. `#spans` contains the spans in the order of their last use. */
  readonly #spanOf = new Map<number, Span>();
  readonly #spans = new Set<Span>();
  readonly #runs: Run[] = [];
  #cached = 0;
  /** The number of bytes that were requested from the source. */
  bytesRead = 0;
  /** The first error of the source. Results that are returned after this error are not valid. */
  failure: unknown;

  constructor(source: RangeSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    this.size = source.size;
  }

  /** Returns the bytes from `first` to the end of their request: 256 KiB, or more in a sequence. */
  async from(first: number): Promise<Uint8Array> {
    const span = this.#span(Math.floor(first / BLOCK_BYTES));
    this.#readAhead(span);
    return (await span.bytes).subarray(first - span.first * BLOCK_BYTES);
  }

  /** Returns the bytes from `first` to `last`, inclusive, or to the end of the source. */
  async read(first: number, last: number): Promise<Buffer> {
    const end = Math.min(last + 1, this.size);
    const pieces: Uint8Array[] = [];
    for (let at = first; at < end; at += lastOf(pieces).length) {
      pieces.push((await this.from(at)).subarray(0, end - at));
    }
    return Buffer.concat(pieces);
  }

  #span(block: number): Span {
    const known = this.#spanOf.get(block);
    if (known === undefined) return this.#request(block, this.#runAt(block));
    this.#spans.delete(known);
    this.#spans.add(known);
    return known;
  }

  /** Returns the sequence that continues with this block, with double request size, or a new sequence. */
  #runAt(block: number): Run {
    const at = this.#runs.findIndex(({ next }) => block >= next && block <= next + GAP_BLOCKS);
    const [found] = at < 0 ? [] : this.#runs.splice(at, 1);
    const window = found === undefined ? 1 : Math.min(found.window * 2, MAX_SPAN_BLOCKS);
    const run = { next: block, window, requests: found?.requests ?? 0 };
    this.#runs.unshift(run);
    this.#runs.length = Math.min(this.#runs.length, MAX_RUNS);
    return run;
  }

  #readAhead({ first, blocks, nth }: Span): void {
    if (nth < READ_AHEAD_FROM) return;
    const end = first + blocks;
    const run = this.#runs.find(({ next }) => next >= end && next < end + READ_AHEAD * MAX_SPAN_BLOCKS);
    if (run === undefined) return;
    while (run.next < end + READ_AHEAD * run.window && run.next * BLOCK_BYTES < this.size) {
      if (this.#spanOf.has(run.next)) return;
      run.window = Math.min(run.window * 2, MAX_SPAN_BLOCKS);
      this.#request(run.next, run);
    }
  }

  #request(block: number, run: Run): Span {
    const most = Math.min(run.window, Math.ceil(this.size / BLOCK_BYTES) - block);
    let blocks = 1;
    while (blocks < most && !this.#spanOf.has(block + blocks)) blocks += 1;
    const first = block * BLOCK_BYTES;
    const length = Math.min(blocks * BLOCK_BYTES, this.size - first);
    run.requests += 1;
    const span = { first: block, blocks, nth: run.requests, bytes: this.#fetch(first, length) };
    // A request may fail before a reader awaits it. Without this handler, the rejection would end the process.
    span.bytes.catch(() => this.#forget(span));
    run.next = block + blocks;
    this.#spans.add(span);
    for (let each = 0; each < blocks; each += 1) this.#spanOf.set(block + each, span);
    this.#cached += blocks * BLOCK_BYTES;
    for (const oldest of this.#spans) {
      if (this.#cached <= CACHE_BYTES) break;
      this.#forget(oldest);
    }
    return span;
  }

  async #fetch(first: number, length: number): Promise<Uint8Array> {
    this.bytesRead += length;
    try {
      this.#signal.throwIfAborted();
      const bytes = await this.#source.read(first, first + length - 1, this.#signal);
      if (bytes.length !== length) throw new Error(`The source gave ${bytes.length} of ${length} bytes`);
      return bytes;
    } catch (error) {
      if (!this.#signal.aborted) this.failure ??= error;
      throw error;
    }
  }

  #forget(span: Span): void {
    if (!this.#spans.delete(span)) return;
    this.#cached -= span.blocks * BLOCK_BYTES;
    for (let each = 0; each < span.blocks; each += 1) this.#spanOf.delete(span.first + each);
  }
}
