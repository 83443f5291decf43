/** JSON documents that are stored gzipped. */
import { type Parser, parseJson } from '../../shared/parse.ts';
import { zlib } from '../../shared/zlib.ts';
import type { MediaObjects } from './media-objects.ts';

export async function readGzippedJson<T>(
  key: string,
  objects: Pick<MediaObjects, 'read'>,
  parse: Parser<T>,
): Promise<T | null> {
  const bytes = await objects.read(key);
  return bytes === null ? null : parseJson(parse, zlib().gunzipSync(bytes));
}

/** Returns the number of stored bytes. */
export async function writeGzippedJson(
  key: string,
  objects: Pick<MediaObjects, 'write'>,
  value: unknown,
): Promise<number> {
  const bytes = zlib().gzipSync(JSON.stringify(value));
  await objects.write(key, bytes, 'application/json', 'gzip');
  return bytes.length;
}
