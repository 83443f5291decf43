/** Immutable files with the data of objects. A file is kept as long as an object, a part or a reader refers to it. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from './durable.ts';

/** A range of bytes in a data file. */
export type Segment = { file: string; offset: number; size: number };

/** The number of bytes of one read: large enough for speed, and small enough for many simultaneous downloads. */
const READ_BYTES = 128 * 1024;

export class DataFiles {
  readonly #directory: string;
  readonly #references = new Map<string, number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Writes a new file with `fill`. Returns the name of the file and the result of `fill`. The caller gets one reference to the file. If
   * `fill` fails, no file remains. When `write` returns, the file is on the disk.
   */
  async write<T>(
    fill: (append: (data: Buffer) => Promise<void>) => Promise<T>,
  ): Promise<{ file: string; result: T }> {
    const file = randomBytes(16).toString('hex');
    const handle = await open(this.#path(file), 'wx');
    try {
      const result = await fill((data) => appendAll(handle, data));
      await handle.sync();
      await handle.close();
      await syncDirectory(this.#directory);
      this.#references.set(file, 1);
      return { file, result };
    } catch (error) {
      await handle.close().catch(() => {});
      await rm(this.#path(file), { force: true });
      throw error;
    }
  }

  retain(segments: Segment[]): void {
    for (const { file } of segments) this.#references.set(file, (this.#references.get(file) ?? 0) + 1);
  }

  /** Releases references. Removes files without references. If removing fails, the next start removes them. */
  async release(segments: Segment[]): Promise<void> {
    for (const { file } of segments) {
      const left = (this.#references.get(file) ?? 0) - 1;
      if (left > 0) {
        this.#references.set(file, left);
      } else {
        this.#references.delete(file);
        await rm(this.#path(file), { force: true }).catch(() => {});
      }
    }
  }

  /**
   * Yields the bytes from `start` to `end`, exclusive. They stay readable until the iteration ends, even if the object is
   * deleted.
   */
  read(segments: Segment[], start: number, end: number): AsyncIterableIterator<Buffer> {
    this.retain(segments);
    const pieces = this.#readAll(cut(segments, start, end));
    let release = async () => {
      release = async () => {};
      await this.release(segments);
    };
    // Not a generator: the `finally` of a generator does not run if the iteration never starts, and would not release the references.
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => {
        const piece = await pieces.next().catch(async (error) => {
          await release();
          throw error;
        });
        if (piece.done) await release();
        return piece;
      },
      return: async () => {
        await pieces.return(undefined);
        await release();
        return { done: true, value: undefined };
      },
    };
  }

  /** Removes files without references, which are left after a crash. */
  async sweep(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    for (const file of await readdir(this.#directory)) {
      if (!this.#references.has(file)) await rm(this.#path(file), { force: true });
    }
  }

  async *#readAll(segments: Segment[]): AsyncGenerator<Buffer> {
    for (const { file, offset, size } of segments) yield* this.#readFile(file, offset, size);
  }

  async *#readFile(file: string, offset: number, size: number): AsyncGenerator<Buffer> {
    const handle = await open(this.#path(file), 'r');
    try {
      for (let done = 0; done < size; ) {
        const wanted = Math.min(READ_BYTES, size - done);
        const { bytesRead, buffer } = await handle.read(
          Buffer.allocUnsafeSlow(wanted),
          0,
          wanted,
          offset + done,
        );
        if (bytesRead === 0) throw new Error(`Data file ${file} is shorter than its metadata says`);
        done += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  #path(file: string): string {
    return join(this.#directory, file);
  }
}

/** Returns the segments for the bytes from `start` to `end`, exclusive, of the joined segments. */
export function cut(segments: Segment[], start: number, end: number): Segment[] {
  const pieces: Segment[] = [];
  let position = 0;
  for (const { file, offset, size } of segments) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end - position, size);
    if (from < to) pieces.push({ file, offset: offset + from, size: to - from });
    position += size;
  }
  return pieces;
}

async function appendAll(handle: FileHandle, data: Buffer): Promise<void> {
  for (let at = 0; at < data.length; ) at += (await handle.write(data, at)).bytesWritten;
}
