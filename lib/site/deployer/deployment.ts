/**
 * The steps of a deployment in the bucket. First, new objects are uploaded next to those of the previous deployment. At the end,
 * objects of older deployments are deleted. So pages in a browser or an edge cache still find their assets.
 */
import { type ArchivedObject, digestOf } from '../archive.ts';

export interface SiteBucket {
  keys(): Promise<string[]>;
  /** Undefined if the object does not exist. */
  read(key: string): Promise<string | undefined>;
  put(object: ArchivedObject): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
}

/** The key of the record. Viewers cannot read it, because viewer-request allows no such path. */
export const recordKey = '_deployments/record.json';

interface Record {
  readonly current: Readonly<{ [key: string]: string }>;
  /** The keys of the previous deployment. If uploads were interrupted, those of several deployments. */
  readonly previous: readonly string[];
  /** Whether the upload has ended. Until then, `current` names only objects that the upload does not change. */
  readonly isComplete: boolean;
}

const WIDTH = 24;

export async function uploadObjects(bucket: SiteBucket, objects: readonly ArchivedObject[]): Promise<number> {
  const [record, keys] = await Promise.all([readRecord(bucket), bucket.keys()]);
  const present = new Set(keys);
  const digests = new Map(objects.map((object) => [object.key, digestOf(object)]));
  const isThere = (key: string) => present.has(key) && record.current[key] === digests.get(key);
  const changed = objects.filter(({ key }) => !isThere(key));

  const previous = previousOf(record);
  const kept = Object.entries(record.current).filter(([key, digest]) => digests.get(key) === digest);
  // The record is written before the objects. Otherwise, an interrupted deployment would leave a record of objects that it has overwritten.
  await writeRecord(bucket, { current: Object.fromEntries(kept), previous, isComplete: false });
  for (let at = 0; at < changed.length; at += WIDTH) {
    await Promise.all(changed.slice(at, at + WIDTH).map((object) => bucket.put(object)));
  }
  await writeRecord(bucket, { current: Object.fromEntries(digests), previous, isComplete: true });
  return changed.length;
}

function previousOf({ current, previous, isComplete }: Record): string[] {
  const keys = Object.keys(current);
  return isComplete ? keys : [...new Set([...previous, ...keys])];
}

/** Deletes objects that belong neither to this deployment nor to the previous one. Returns their number. */
export async function prune(bucket: SiteBucket): Promise<number> {
  const [{ current, previous }, keys] = await Promise.all([readRecord(bucket), bucket.keys()]);
  const wanted = new Set([recordKey, ...previous, ...Object.keys(current)]);
  const stale = keys.filter((key) => !wanted.has(key));
  await bucket.remove(stale);
  return stale.length;
}

export async function empty(bucket: SiteBucket): Promise<void> {
  await bucket.remove(await bucket.keys());
}

async function readRecord(bucket: SiteBucket): Promise<Record> {
  const text = await bucket.read(recordKey);
  return text === undefined ? { current: {}, previous: [], isComplete: true } : (JSON.parse(text) as Record);
}

const writeRecord = (bucket: SiteBucket, record: Record): Promise<void> =>
  bucket.put({
    key: recordKey,
    contentType: 'application/json',
    cacheControl: 'no-store',
    metadata: {},
    body: Buffer.from(JSON.stringify(record)),
  });
