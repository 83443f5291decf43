/** All data of the server in one directory: `buckets/`, `data/` and `scratch/`. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Error } from '../errors.ts';
import type { BucketSpec } from '../options.ts';
import { Bucket } from './bucket.ts';
import { DataFiles } from './data-files.ts';
import { readJson, syncDirectory, writeJson } from './durable.ts';
import type { ObjectRecord } from './records.ts';
import type { Upload } from './uploads.ts';

const DAY_MS = 86_400_000;
const bucketFile = 'bucket.json';

/** Opens or creates the store with the given buckets. Removes data that a crash left. */
export async function openStore(dir: string, specs: BucketSpec[], now: () => number): Promise<Store> {
  const store = new Store(dir, now);
  await store.load(specs);
  return store;
}

export class Store {
  readonly data: DataFiles;
  readonly #dir: string;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(dir: string, now: () => number) {
    this.#dir = dir;
    this.#now = now;
    this.data = new DataFiles(join(dir, 'data'));
  }

  async load(specs: BucketSpec[]): Promise<void> {
    await rm(this.#scratch(), { recursive: true, force: true });
    await mkdir(this.#scratch(), { recursive: true });
    await mkdir(join(this.#dir, 'buckets'), { recursive: true });
    for (const name of await readdir(join(this.#dir, 'buckets'))) {
      const spec = specs.find((each) => each.name === name) ?? { name };
      await this.#loadBucket(spec);
    }
    for (const spec of specs) if (!this.#buckets.has(spec.name)) await this.createBucket(spec);
    await this.data.sweep();
    await this.abortExpiredUploads();
  }

  /** Throws NoSuchBucket if the bucket does not exist. */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (!bucket) throw new S3Error('NoSuchBucket', undefined, { BucketName: name });
    return bucket;
  }

  findBucket(name: string): Bucket | undefined {
    return this.#buckets.get(name);
  }

  buckets(): Bucket[] {
    return [...this.#buckets.values()].sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
  }

  /** Throws InvalidBucketName for an invalid name, and BucketAlreadyOwnedByYou if the bucket exists. */
  async createBucket(spec: BucketSpec): Promise<void> {
    if (!isBucketName(spec.name))
      throw new S3Error('InvalidBucketName', undefined, { BucketName: spec.name });
    if (this.#buckets.has(spec.name)) {
      throw new S3Error('BucketAlreadyOwnedByYou', undefined, { BucketName: spec.name });
    }
    const created = this.#now();
    await mkdir(this.#bucketDirectory(spec.name), { recursive: true });
    await writeJson(join(this.#bucketDirectory(spec.name), bucketFile), { created }, this.#scratch());
    await syncDirectory(join(this.#dir, 'buckets'));
    await this.#loadBucket(spec);
  }

  /** Applies the lifecycle rules of the buckets: aborts uploads that are too old. */
  async abortExpiredUploads(): Promise<void> {
    for (const bucket of this.buckets()) {
      const days = bucket.spec.abortIncompleteUploadsAfterDays;
      if (days === undefined) continue;
      for (const upload of bucket.uploads.all()) {
        if (upload.initiated + days * DAY_MS <= this.#now()) await abortUpload(bucket, upload);
      }
    }
  }

  /** Loads a bucket. Removes a bucket that has no document after a crash, because such a bucket has no objects. */
  async #loadBucket(spec: BucketSpec): Promise<void> {
    const directory = this.#bucketDirectory(spec.name);
    if (!(await readdir(directory)).includes(bucketFile)) return rm(directory, { recursive: true });
    const { created } = await readJson<{ created: number }>(join(directory, bucketFile));
    const bucket = new Bucket(spec, created, { directory, scratch: this.#scratch(), data: this.data });
    await bucket.load();
    this.#buckets.set(spec.name, bucket);
  }

  #bucketDirectory(name: string): string {
    return join(this.#dir, 'buckets', name);
  }

  #scratch(): string {
    return join(this.#dir, 'scratch');
  }
}

export async function abortUpload(bucket: Bucket, upload: Upload): Promise<void> {
  await bucket.exclusively(upload.key, async () => {
    if (bucket.uploads.get(upload.id)) await bucket.uploads.remove(upload);
  });
}

/** Returns the object, or one version of it. Throws NoSuchKey or NoSuchVersion if it does not exist. */
export function objectIn(bucket: Bucket, key: string, versionId?: string): ObjectRecord {
  if (versionId !== undefined) {
    const version = bucket.versionsOf(key).find((one) => one.versionId === versionId);
    if (!version?.object) throw new S3Error('NoSuchVersion', undefined, { Key: key, VersionId: versionId });
    return version.object;
  }
  const record = bucket.objects.get(key);
  if (!record) throw new S3Error('NoSuchKey', undefined, { Key: key });
  return record;
}

/** Whether the name is valid. Source: "General purpose bucket naming rules" in the Amazon S3 user guide. */
function isBucketName(name: string): boolean {
  const isIpAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..') && !isIpAddress;
}
