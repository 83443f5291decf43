/** The headers that are stored with an object: writes send them, and reads return them. */
import { type ChecksumAlgorithm, checksumHeader } from './body/checksums.ts';
import { S3Error } from './errors.ts';
import type { S3Request } from './request.ts';
import type { ObjectRecord } from './store/records.ts';

const keptHeaders = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-server-side-encryption-bucket-key-enabled',
  'x-amz-storage-class',
]);

/** The maximum size of user metadata in Amazon S3: 2 KB for names and values together. */
const MAX_METADATA_BYTES = 2048;

/** Returns the headers to store. Throws MetadataTooLarge, and NotImplemented for headers that this server does not support. */
export function headersToKeep(request: S3Request): Record<string, string> {
  refuseUnsupported(request);
  const names = request
    .headerNames()
    .filter((name) => keptHeaders.has(name) || name.startsWith('x-amz-meta-'));
  const kept = Object.fromEntries(names.map((name) => [name, request.header(name)!]));
  const encoding = withoutAwsChunked(kept['content-encoding']);
  delete kept['content-encoding'];
  if (kept['x-amz-storage-class'] === 'STANDARD') delete kept['x-amz-storage-class'];
  const metadataBytes = Object.entries(kept)
    .filter(([name]) => name.startsWith('x-amz-meta-'))
    .reduce((sum, [name, value]) => sum + name.length - 'x-amz-meta-'.length + value.length, 0);
  if (metadataBytes > MAX_METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge', undefined, {
      Size: metadataBytes,
      MaxSizeAllowed: MAX_METADATA_BYTES,
    });
  }
  return {
    'content-type': 'binary/octet-stream',
    ...kept,
    ...(encoding && { 'content-encoding': encoding }),
  };
}

/** Returns the headers about the encryption of an object. Answers to writes contain them. */
export function encryptionHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption')),
  );
}

export function checksumHeaders({
  checksums,
  checksumType,
}: Pick<ObjectRecord, 'checksums' | 'checksumType'>): Record<string, string> {
  const entries = Object.entries(checksums).map(([name, value]) => [
    checksumHeader(name as ChecksumAlgorithm),
    value,
  ]);
  return entries.length === 0 ? {} : { ...Object.fromEntries(entries), 'x-amz-checksum-type': checksumType };
}

const overridable = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

export const OVERRIDES = overridable.map((name) => `response-${name}`);

/** Returns the answer headers that a signed query overrides. Throws InvalidArgument for an invalid value. */
export function overriddenHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of overridable) {
    const value = request.parameter(`response-${name}`);
    if (value === undefined) continue;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break here would forge further headers
    if (/[\u0000-\u001f\u007f]/.test(value))
      throw new S3Error('InvalidArgument', `response-${name} is not a valid header value`);
    // Node writes headers as Latin-1. After this conversion, the written bytes are the UTF-8 of the value.
    headers[name] = Buffer.from(value, 'utf8').toString('latin1');
  }
  return headers;
}

const privateAcls = new Set(['private', 'bucket-owner-full-control']);
const UNSUPPORTED =
  /^x-amz-(object-lock-|website-redirect-location$|server-side-encryption-customer-|write-offset-bytes$)/;

function refuseUnsupported(request: S3Request): void {
  const acl = request.header('x-amz-acl');
  const grantsAccess = request.headerNames().some((name) => name.startsWith('x-amz-grant-'));
  if (grantsAccess || (acl !== undefined && !privateAcls.has(acl))) {
    throw new S3Error('AccessControlListNotSupported');
  }
  const unsupported = request.headerNames().find((name) => UNSUPPORTED.test(name));
  if (unsupported) throw new S3Error('NotImplemented', undefined, { Header: unsupported });
}

/** Removes aws-chunked, because it describes the transfer of the body and not the stored object. */
function withoutAwsChunked(encoding: string | undefined): string | undefined {
  return encoding
    ?.split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'aws-chunked')
    .join(',');
}
