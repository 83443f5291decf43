/** The previous versions of a bucket's objects, and delete markers. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, removeFile, writeJson } from './durable.ts';
import type { BucketPlace } from './place.ts';
import { type ObjectRecord, withTags } from './records.ts';

export type Version = {
  key: string;
  versionId: string;
  /** The time of the version, in milliseconds since the epoch. */
  modified: number;
  /** Null for a delete marker. */
  object: ObjectRecord | null;
};

export class Versions {
  readonly #place: BucketPlace;
  /** The versions of each key, the newest first. */
  readonly #byKey = new Map<string, Version[]>();

  constructor(place: BucketPlace) {
    this.#place = place;
  }

  async load(): Promise<void> {
    await mkdir(this.#directory(), { recursive: true });
    for (const name of await readdir(this.#directory())) {
      const version = await readJson<Version>(join(this.#directory(), name));
      const object = version.object && withTags(version.object);
      if (object) this.#place.data.retain(object.segments);
      this.#insert({ ...version, object });
    }
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  /** Returns the previous versions of a key, the newest first. */
  of(key: string): readonly Version[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Adds a version. From then on, it owns the caller's references to the data. */
  async add(version: Version): Promise<void> {
    await writeJson(this.#pathOf(version), version, this.#place.scratch);
    this.#insert(version);
  }

  /** Removes a version. The caller then owns the references to its data. */
  async remove(version: Version): Promise<void> {
    await removeFile(this.#pathOf(version));
    const left = this.of(version.key).filter(({ versionId }) => versionId !== version.versionId);
    if (left.length > 0) this.#byKey.set(version.key, left);
    else this.#byKey.delete(version.key);
  }

  #insert(version: Version): void {
    const all = [...this.of(version.key), version];
    this.#byKey.set(
      version.key,
      all.sort((one, other) => (one.versionId < other.versionId ? 1 : -1)),
    );
  }

  #pathOf({ versionId }: Version): string {
    return join(this.#directory(), `${versionId}.json`);
  }

  #directory(): string {
    return join(this.#place.directory, 'versions');
  }
}

let count = 0;

/** Returns an id that sorts after all earlier ids. Clients must not rely on this order. */
export function newVersionId(now: number): string {
  count += 1;
  const time = now.toString(36).padStart(9, '0');
  return `${time}${count.toString(36).padStart(6, '0')}${randomBytes(8).toString('hex')}`;
}
