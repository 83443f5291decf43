/** One bucket: its objects, indexed in memory and kept as one metadata document each, and its uploads. */

import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BucketSpec } from '../options.ts';
import { readJson, removeFile, writeJson } from './durable.ts';
import { Locks } from './locks.ts';
import type { BucketPlace } from './place.ts';
import { type ObjectRecord, type Tag, withTags } from './records.ts';
import { SortedKeys } from './sorted-keys.ts';
import { Uploads } from './uploads.ts';

export class Bucket {
  readonly spec: BucketSpec;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly uploads: Uploads;
  readonly #place: BucketPlace;
  readonly #locks = new Locks();
  #objects = new SortedKeys<ObjectRecord>();

  constructor(spec: BucketSpec, created: number, place: BucketPlace) {
    this.spec = spec;
    this.created = created;
    this.uploads = new Uploads(place);
    this.#place = place;
  }

  get objects(): Omit<SortedKeys<ObjectRecord>, 'set' | 'delete'> {
    return this.#objects;
  }

  /** Reads what the disk holds and claims the data files it refers to. */
  async load(): Promise<void> {
    const directory = this.#objectDirectory();
    await mkdir(directory, { recursive: true });
    const records = [];
    for (const name of await readdir(directory))
      records.push(withTags(await readJson<ObjectRecord>(join(directory, name))));
    this.#objects = new SortedKeys(records.map((record) => [record.key, record]));
    for (const record of records) this.#place.data.retain(record.segments);
    await this.uploads.load((upload) => this.#objects.get(upload.key)?.uploadId === upload.id);
  }

  /** Runs `task` while nothing else changes the key: what it checks still holds when it writes. */
  exclusively<T>(key: string, task: () => Promise<T>): Promise<T> {
    return this.#locks.run(key, task);
  }

  /**
   * Makes `record` the object of its key and takes over the caller's references to its data. Visible to readers
   * when the metadata document is in place, never sooner. Call it inside `exclusively`.
   */
  async place(record: ObjectRecord): Promise<void> {
    await writeJson(this.#pathOf(record.key), record, this.#place.scratch);
    const former = this.#objects.get(record.key);
    this.#objects.set(record.key, record);
    if (former) await this.#place.data.release(former.segments);
  }

  /** Gives an object other tags; its content and its time stay as they are. Call it inside `exclusively`. */
  async tag(record: ObjectRecord, tags: Tag[]): Promise<void> {
    const tagged = { ...record, tags };
    await writeJson(this.#pathOf(record.key), tagged, this.#place.scratch);
    this.#objects.set(record.key, tagged);
  }

  /** Call it inside `exclusively`. */
  async remove(key: string): Promise<void> {
    const record = this.#objects.get(key);
    if (!record) return;
    await removeFile(this.#pathOf(key));
    this.#objects.delete(key);
    await this.#place.data.release(record.segments);
  }

  /** Keys may hold any characters and up to 1,024 bytes; a hash is always a safe file name. */
  #pathOf(key: string): string {
    return join(this.#objectDirectory(), `${createHash('sha256').update(key).digest('hex')}.json`);
  }

  #objectDirectory(): string {
    return join(this.#place.directory, 'objects');
  }
}
