/** Findings of a span, stored until all spans are merged: a JSON document, and one object with all JPEGs. */

import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { zlib } from '../../../shared/zlib.ts';
import type { SpanFindings, StoredBytes } from '../rules/span-findings.ts';
import type { IngestInput } from './ingest-step.ts';

const seenKey = (tenant: TenantId, { asset_id, job_id }: IngestInput, span: number, name: string) =>
  derivedKey(tenant, asset_id, 'seen', job_id, `${span}.${name}`);

/** The document is written last, so that its JPEGs exist when it does. */
export async function writeSeen(
  tenant: TenantId,
  input: IngestInput,
  span: number,
  seen: SpanFindings,
  jpegs: readonly Buffer[],
  objects: MediaObjects,
): Promise<void> {
  await objects.write(
    seenKey(tenant, input, span, 'jpegs'),
    Buffer.concat(jpegs),
    'application/octet-stream',
  );
  const document = zlib().gzipSync(JSON.stringify(seen));
  await objects.write(seenKey(tenant, input, span, 'json.gz'), document, 'application/json', 'gzip');
}

export const isSeen = async (
  tenant: TenantId,
  input: IngestInput,
  span: number,
  objects: MediaObjects,
): Promise<boolean> => (await objects.size(seenKey(tenant, input, span, 'json.gz'))) !== null;

export async function readSeen(
  tenant: TenantId,
  input: IngestInput,
  span: number,
  objects: MediaObjects,
): Promise<SpanFindings> {
  const bytes = await objects.read(seenKey(tenant, input, span, 'json.gz'));
  if (bytes === null) throw new Error(`The findings of span ${span} are missing`);
  return JSON.parse(zlib().gunzipSync(bytes).toString('utf8')) as SpanFindings;
}

/** Reads a stored JPEG. */
export async function jpegOf(
  tenant: TenantId,
  input: IngestInput,
  span: number,
  { from, to }: StoredBytes,
  objects: MediaObjects,
): Promise<Buffer> {
  return Buffer.from(await objects.readRange(seenKey(tenant, input, span, 'jpegs'), from, to - 1));
}
