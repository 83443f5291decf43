/** CompleteMultipartUpload: makes an object from the parts without copying their data. */
import { createHash } from 'node:crypto';
import {
  CHECKSUM_ALGORITHMS,
  type Checksums,
  checksumElement,
  checksumElements,
  checksumHeader,
  checksumOfParts,
  expectChecksum,
} from '../body/checksums.ts';
import { receiveText } from '../body/receive.ts';
import { writeCondition } from '../conditions.ts';
import { S3Error } from '../errors.ts';
import { encryptionHeaders } from '../object-headers.ts';
import type { S3Request } from '../request.ts';
import type { ObjectRecord, PartRecord } from '../store/records.ts';
import type { Upload } from '../store/uploads.ts';
import { childrenOf, childText, parseXml, type XmlElement } from '../xml.ts';
import { MAX_PARTS, noSuchUpload } from './multipart.ts';
import {
  bucketOf,
  type Operation,
  type OperationContext,
  type S3Response,
  xmlResponse,
} from './operation.ts';

/** The maximum size of the document, bytes: enough for 10,000 parts with a checksum of each kind. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

export const completeMultipartUpload: Operation = async (context) => {
  const { request, payload } = context;
  const bucket = bucketOf(context);
  const id = request.parameter('uploadId')!;
  const wanted = readParts(await receiveCompletion(request, payload));
  const checkCondition = writeCondition(request);

  return bucket.exclusively(request.key!, async () => {
    const current = bucket.objects.get(request.key!);
    if (current?.uploadId === id) return completed(request, current);
    const upload = bucket.uploads.get(id);
    if (upload?.key !== request.key) throw noSuchUpload(id);
    checkCondition(current);
    const record = assemble(request, upload!, wanted, context.now());
    await finish(context, upload!, record);
    return completed(request, record);
  });
};

/** Reads the XML document. The header x-amz-checksum-* of this operation is not its checksum, but that of the whole object. */
function receiveCompletion(request: S3Request, payload: OperationContext['payload']): Promise<string> {
  const header: S3Request['header'] = (name) =>
    name.startsWith('x-amz-checksum-') ? undefined : request.header(name);
  return receiveText({ ...request, header }, payload, MAX_DOCUMENT_BYTES);
}

type WantedPart = { number: number; etag: string; checksums: Checksums };

function readParts(text: string): WantedPart[] {
  const document = parseXml(text);
  const parts = childrenOf(document, 'Part');
  if (document?.name !== 'CompleteMultipartUpload' || parts.length === 0 || parts.length > MAX_PARTS) {
    throw new S3Error('MalformedXML');
  }
  const wanted = parts.map(readPart);
  const isAscending = wanted.every((part, index) => index === 0 || part.number > wanted[index - 1]!.number);
  if (!isAscending) throw new S3Error('InvalidPartOrder');
  return wanted;
}

function readPart(part: XmlElement): WantedPart {
  const number = childText(part, 'PartNumber')?.trim() ?? '';
  const etag = childText(part, 'ETag')?.trim();
  if (!/^\d{1,5}$/.test(number) || !etag) throw new S3Error('MalformedXML');
  const checksums: Checksums = {};
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = childText(part, checksumElement(algorithm));
    if (value !== undefined) checksums[algorithm] = value;
  }
  return { number: Number(number), etag: etag.replace(/^"(.*)"$/, '$1'), checksums };
}

/** The minimum size of a part, bytes. Only the last part may be smaller. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

function assemble(request: S3Request, upload: Upload, wanted: WantedPart[], now: number): ObjectRecord {
  const parts = wanted.map((part) => storedPart(upload, part));
  for (const part of parts.slice(0, -1)) {
    if (part.size < MIN_PART_BYTES) throw tooSmall(part);
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  expectSize(request, size);
  const checksums = checksumsOf(request, upload, parts);
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')));
  return {
    key: upload.key,
    size,
    etag: `${createHash('md5').update(digests).digest('hex')}-${parts.length}`,
    modified: now,
    headers: upload.headers,
    tags: upload.tags,
    checksums,
    checksumType: upload.checksum?.type ?? 'FULL_OBJECT',
    segments: parts.flatMap((part) => part.segments),
    uploadId: upload.id,
  };
}

function storedPart(upload: Upload, wanted: WantedPart): PartRecord {
  const part = upload.parts.get(wanted.number);
  const agrees = (Object.keys(wanted.checksums) as (keyof Checksums)[]).every(
    (algorithm) => part?.checksums[algorithm] === wanted.checksums[algorithm],
  );
  if (part?.etag !== wanted.etag || !agrees) {
    throw new S3Error('InvalidPart', undefined, {
      UploadId: upload.id,
      PartNumber: wanted.number,
      ETag: wanted.etag,
    });
  }
  return part!;
}

function checksumsOf(request: S3Request, { checksum }: Upload, parts: PartRecord[]): Checksums {
  if (!checksum) {
    refuseUncheckable(request);
    return {};
  }
  const { algorithm, type } = checksum;
  const digests = parts.map((part) => ({ digest: part.checksums[algorithm]!, size: part.size }));
  const value = checksumOfParts(algorithm, type, digests);
  const given = request.header(checksumHeader(algorithm));
  if (given !== undefined) expectChecksum(algorithm, given, value);
  return { [algorithm]: value };
}

/** Throws if the checksum of the whole object has another algorithm than the upload: such a checksum cannot be verified. */
function refuseUncheckable(request: S3Request): void {
  const given = CHECKSUM_ALGORITHMS.find(
    (algorithm) => request.header(checksumHeader(algorithm)) !== undefined,
  );
  if (given) {
    throw new S3Error('InvalidRequest', `The upload was created without the ${given} checksum algorithm.`);
  }
}

function expectSize(request: S3Request, size: number): void {
  const given = request.header('x-amz-mp-object-size');
  if (given !== undefined && Number(given) !== size) {
    throw new S3Error(
      'InvalidRequest',
      `The provided 'x-amz-mp-object-size' header value ${given} does not match what was computed: ${size}`,
    );
  }
}

async function finish(context: OperationContext, upload: Upload, record: ObjectRecord): Promise<void> {
  const bucket = bucketOf(context);
  const { data } = context.store;
  data.retain(record.segments);
  await bucket.place(record).catch(async (error) => {
    await data.release(record.segments);
    throw error;
  });
  await bucket.uploads.remove(upload);
}

function completed(request: S3Request, record: ObjectRecord): S3Response {
  const location = `http://${request.header('host')}${encodeURI(request.path)}`;
  return xmlResponse(
    'CompleteMultipartUploadResult',
    {
      Location: location,
      Bucket: request.bucket!,
      Key: record.key,
      ETag: `"${record.etag}"`,
      ...checksumElements(record.checksums),
      ChecksumType: Object.keys(record.checksums).length > 0 ? record.checksumType : undefined,
    },
    encryptionHeaders(record.headers),
  );
}

function tooSmall(part: PartRecord): S3Error {
  return new S3Error('EntityTooSmall', undefined, {
    ProposedSize: part.size,
    MinSizeAllowed: MIN_PART_BYTES,
    PartNumber: part.number,
    ETag: part.etag,
  });
}
