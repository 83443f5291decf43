/** Reads packets with times from Matroska, in the form that ffmpeg writes to a pipe (RFC 9559, RFC 8794). */
export interface Packet {
  /** The track number, from 1, in the order of the outputs in ffmpeg's arguments. */
  readonly track: number;
  readonly at_ms: number;
  readonly data: Buffer;
}

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
/** Elements whose child elements are read. */
const opened: readonly number[] = [SEGMENT, CLUSTER, BLOCK_GROUP];
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
/** The maximum number of bytes of an element's id and size: 4 for the id, 8 for the size. */
const LONGEST_HEAD = 12;

/** Yields the packets in the order of the file. ffmpeg writes times in milliseconds. */
export async function* readPackets(bytes: AsyncIterable<Buffer>): AsyncGenerator<Packet> {
  const reader = new Reader(bytes);
  let cluster_ms = 0;
  for (;;) {
    const head = await reader.head();
    if (head === null) return;
    const { id, size } = head;
    if (opened.includes(id)) continue;
    const content = await reader.take(size);
    if (content === null) return;
    if (id === TIMESTAMP) cluster_ms = content.readUIntBE(0, size);
    if (id === SIMPLE_BLOCK || id === BLOCK) yield packetOf(content, cluster_ms);
  }
}

/** Reads a block: a track, a time within the cluster, flags, and one frame. ffmpeg puts only one video frame into a block. */
function packetOf(block: Buffer, cluster_ms: number): Packet {
  const { value: track, length } = variable(block, 0);
  return { track, at_ms: cluster_ms + block.readInt16BE(length), data: block.subarray(length + 3) };
}

class Reader {
  readonly #source: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  async head(): Promise<{ id: number; size: number } | null> {
    await this.#have(LONGEST_HEAD);
    if (this.#pending.length < 2) return null;
    const idLength = lengthOf(this.#pending[0]!);
    const id = this.#pending.readUIntBE(0, idLength);
    const { value: size, length } = variable(this.#pending, idLength);
    this.#pending = this.#pending.subarray(idLength + length);
    return { id, size };
  }

  /** Returns the next `size` bytes. Returns null if the stream ends before them. */
  async take(size: number): Promise<Buffer | null> {
    await this.#have(size);
    if (this.#pending.length < size) return null;
    const taken = this.#pending.subarray(0, size);
    this.#pending = this.#pending.subarray(size);
    return taken;
  }

  /** Waits for `size` bytes. Joins pieces only once, because a picture arrives in many pieces. */
  async #have(size: number): Promise<void> {
    if (this.#pending.length >= size) return;
    const pieces = [this.#pending];
    for (let length = this.#pending.length; length < size; length += pieces.at(-1)!.length) {
      const next = await this.#source.next();
      if (next.done) break;
      pieces.push(next.value);
    }
    this.#pending = Buffer.concat(pieces);
  }
}

/** The length of a variable-length number, from the position of the first set bit. */
const lengthOf = (first: number): number => Math.clz32(first) - 23;

function variable(bytes: Buffer, at: number): { value: number; length: number } {
  const first = bytes[at]!;
  const length = lengthOf(first);
  let value = first & (0xff >> length);
  for (let next = 1; next < length; next += 1) value = value * 256 + bytes[at + next]!;
  return { value, length };
}
