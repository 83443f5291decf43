/**
 * The steps of a deployment that touch the bucket. Objects go up first, beside those of the last deployment; what
 * neither of the two has is taken away at the end, so pages that a browser or an edge still holds find their assets.
 */
import { type ArchivedObject, digestOf } from '../archive.ts';

export interface SiteBucket {
  keys(): Promise<string[]>;
  /** Undefined where there is none. */
  read(key: string): Promise<string | undefined>;
  put(object: ArchivedObject): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
}

/** Unreachable from outside: the viewer-request function knows no such path. */
export const recordKey = '_deployments/record.json';

/** What is in the bucket, and why. */
interface Record {
  /** Digests by key of the deployment that went up last. */
  readonly current: Readonly<{ [key: string]: string }>;
  /** Keys of the one before; of several where uploads broke off. */
  readonly previous: readonly string[];
  /** Whether the upload has ended; until then `current` names only what it leaves as it was. */
  readonly isComplete: boolean;
}

/** Objects that are put at a time. */
const WIDTH = 24;

/** Puts what is new or different; returns how many. */
export async function uploadObjects(bucket: SiteBucket, objects: readonly ArchivedObject[]): Promise<number> {
  const [record, keys] = await Promise.all([readRecord(bucket), bucket.keys()]);
  const present = new Set(keys);
  const digests = new Map(objects.map((object) => [object.key, digestOf(object)]));
  const isThere = (key: string) => present.has(key) && record.current[key] === digests.get(key);
  const changed = objects.filter(({ key }) => !isThere(key));

  const previous = previousOf(record);
  const kept = Object.entries(record.current).filter(([key, digest]) => digests.get(key) === digest);
  // First, lest a deployment that breaks off leaves the record saying that what it overwrote is there.
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

/** Removes what neither this deployment has nor the one before it; returns how many. */
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
