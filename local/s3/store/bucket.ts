/** A bucket: its objects, indexed in memory and stored as one metadata document each, and its uploads. */
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
import { newVersionId, type Version, Versions } from './versions.ts';

export class Bucket {
  readonly spec: BucketSpec;
  /** The creation time, in milliseconds since the epoch. */
  readonly created: number;
  readonly uploads: Uploads;
  readonly #place: BucketPlace;
  readonly #locks = new Locks();
  readonly #versions: Versions;
  #objects = new SortedKeys<ObjectRecord>();

  constructor(spec: BucketSpec, created: number, place: BucketPlace) {
    this.spec = spec;
    this.created = created;
    this.uploads = new Uploads(place);
    this.#versions = new Versions(place);
    this.#place = place;
  }

  get objects(): Omit<SortedKeys<ObjectRecord>, 'set' | 'delete'> {
    return this.#objects;
  }

  /** Reads the bucket from the disk, and adds references to its data files. */
  async load(): Promise<void> {
    const directory = this.#objectDirectory();
    await mkdir(directory, { recursive: true });
    const records = [];
    for (const name of await readdir(directory))
      records.push(withTags(await readJson<ObjectRecord>(join(directory, name))));
    this.#objects = new SortedKeys(records.map((record) => [record.key, record]));
    for (const record of records) this.#place.data.retain(record.segments);
    await this.#versions.load();
    await this.uploads.load((upload) => this.#objects.get(upload.key)?.uploadId === upload.id);
  }

  /** Runs `task` while nothing else can change the key, so that the checks of the task are still valid when it writes. */
  exclusively<T>(key: string, task: () => Promise<T>): Promise<T> {
    return this.#locks.run(key, task);
  }

  /**
   * Stores `record` as the object of its key. The bucket then owns the caller's references to the data. Readers get the object only
   * after its metadata document is complete. Must be called inside `exclusively`.
   */
  async place(given: ObjectRecord): Promise<ObjectRecord> {
    const { isVersioned } = this.spec;
    const record = isVersioned ? { ...given, versionId: newVersionId(given.modified) } : given;
    const former = this.#objects.get(record.key);
    if (former && isVersioned) await this.#keep(former);
    await writeJson(this.#pathOf(record.key), record, this.#place.scratch);
    this.#objects.set(record.key, record);
    if (former) await this.#place.data.release(former.segments);
    return record;
  }

  /** Replaces the tags of an object. Its content and time stay unchanged. Must be called inside `exclusively`. */
  async tag(record: ObjectRecord, tags: Tag[]): Promise<void> {
    const tagged = { ...record, tags };
    await writeJson(this.#pathOf(record.key), tagged, this.#place.scratch);
    this.#objects.set(record.key, tagged);
  }

  /** Removes the object. A bucket with versioning only adds a delete marker. Must be called inside `exclusively`. */
  async remove(key: string, now: number): Promise<Version | undefined> {
    const record = this.#objects.get(key);
    if (!this.spec.isVersioned) {
      if (record) await this.#forget(record);
      return undefined;
    }
    if (record) {
      await this.#keep(record);
      await this.#forget(record);
    }
    const marker: Version = { key, versionId: newVersionId(now), modified: now, object: null };
    await this.#versions.add(marker);
    return marker;
  }

  /** Returns every key that has an object or had one. */
  keysEver(): string[] {
    return [...new Set([...[...this.#objects.values()].map(({ key }) => key), ...this.#versions.keys()])];
  }

  /** Returns all versions of a key, the newest first. The first is the current object or the delete marker. */
  versionsOf(key: string): Version[] {
    const current = this.#objects.get(key);
    return [...(current ? [versionOf(current)] : []), ...this.#versions.of(key)];
  }

  /** Deletes a version; the previous one may become the object. Returns false if the version is missing. Call it inside `exclusively`. */
  async removeVersion(key: string, versionId: string): Promise<boolean> {
    const current = this.#objects.get(key);
    if (current && versionOf(current).versionId === versionId) await this.#forget(current);
    else {
      const version = this.#versions.of(key).find((one) => one.versionId === versionId);
      if (version === undefined) return false;
      await this.#versions.remove(version);
      if (version.object) await this.#place.data.release(version.object.segments);
    }
    const newest = this.#versions.of(key)[0];
    if (!this.#objects.get(key) && newest?.object) {
      await writeJson(this.#pathOf(key), newest.object, this.#place.scratch);
      this.#objects.set(key, newest.object);
      await this.#versions.remove(newest);
    }
    return true;
  }

  /** Stores the current object as a previous version, before it is replaced. */
  async #keep(record: ObjectRecord): Promise<void> {
    this.#place.data.retain(record.segments);
    await this.#versions.add(versionOf(record));
  }

  async #forget(record: ObjectRecord): Promise<void> {
    await removeFile(this.#pathOf(record.key));
    this.#objects.delete(record.key);
    await this.#place.data.release(record.segments);
  }

  /** Uses a hash as the file name, because keys may contain any characters and up to 1,024 bytes. */
  #pathOf(key: string): string {
    return join(this.#objectDirectory(), `${createHash('sha256').update(key).digest('hex')}.json`);
  }

  #objectDirectory(): string {
    return join(this.#place.directory, 'objects');
  }
}

/** Returns the version of an object. Its id is "null" if it was stored while the bucket had no versioning. */
function versionOf(object: ObjectRecord): Version {
  const { key, modified, versionId = 'null' } = object;
  return { key, versionId, modified, object };
}
