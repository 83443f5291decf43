/** ListParts and ListMultipartUploads. */
import { checksumElements } from '../body/checksums.ts';
import { compareUtf8 } from '../store/sorted-keys.ts';
import type { Upload } from '../store/uploads.ts';
import { keyEncoding } from './list-objects.ts';
import { uploadOf } from './multipart.ts';
import { bucketOf, integerParameter, type Operation, pageSize, xmlResponse } from './operation.ts';

const owner = { ID: 'local' };

export const listParts: Operation = async (context) => {
  const { request } = context;
  const upload = uploadOf(request, bucketOf(context));
  const encode = keyEncoding(request.parameter('encoding-type'));
  const marker = integerParameter(request, 'part-number-marker', { least: 0, most: 2 ** 31 - 1, absent: 0 });
  const maxParts = pageSize(request, 'max-parts');
  const parts = [...upload.parts.values()]
    .filter((part) => part.number > marker)
    .sort((a, b) => a.number - b.number);
  const page = parts.slice(0, maxParts);

  return xmlResponse('ListPartsResult', {
    Bucket: request.bucket!,
    EncodingType: request.parameter('encoding-type'),
    Key: encode(upload.key),
    UploadId: upload.id,
    Initiator: owner,
    Owner: owner,
    StorageClass: upload.headers['x-amz-storage-class'] ?? 'STANDARD',
    ChecksumAlgorithm: upload.checksum?.algorithm,
    ChecksumType: upload.checksum?.type,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? 0,
    MaxParts: maxParts,
    IsTruncated: page.length > 0 && page.length < parts.length,
    Part: page.map((part) => ({
      PartNumber: part.number,
      LastModified: new Date(part.modified).toISOString(),
      ETag: `"${part.etag}"`,
      Size: part.size,
      ...checksumElements(part.checksums),
    })),
  });
};

export const listMultipartUploads: Operation = async (context) => {
  const { request } = context;
  const bucket = bucketOf(context);
  const encode = keyEncoding(request.parameter('encoding-type'));
  const [prefix, delimiter] = [request.parameter('prefix') ?? '', request.parameter('delimiter') ?? ''];
  const [keyMarker, idMarker] = [
    request.parameter('key-marker') ?? '',
    request.parameter('upload-id-marker') ?? '',
  ];
  const maxUploads = pageSize(request, 'max-uploads');

  const matching = bucket.uploads.all().filter(({ key }) => key.startsWith(prefix));
  const entries = grouped(matching.sort(inListingOrder), prefix, delimiter).filter((entry) =>
    isAfter(entry, keyMarker, idMarker),
  );
  const page = entries.slice(0, maxUploads);
  const isTruncated = page.length > 0 && page.length < entries.length;
  const last = page.at(-1);
  return xmlResponse('ListMultipartUploadsResult', {
    Bucket: request.bucket!,
    EncodingType: request.parameter('encoding-type'),
    KeyMarker: encode(keyMarker),
    UploadIdMarker: idMarker,
    NextKeyMarker: isTruncated && last ? encode(last.name) : undefined,
    NextUploadIdMarker: isTruncated ? last?.upload?.id : undefined,
    Prefix: encode(prefix),
    Delimiter: delimiter ? encode(delimiter) : undefined,
    MaxUploads: maxUploads,
    IsTruncated: isTruncated,
    Upload: page.flatMap(({ upload }) => (upload ? [describe(upload, encode)] : [])),
    CommonPrefixes: page.flatMap(({ name, upload }) => (upload ? [] : [{ Prefix: encode(name) }])),
  });
};

/** An upload with its key, or a common prefix of several uploads. */
type Entry = { name: string; upload?: Upload };

function grouped(uploads: Upload[], prefix: string, delimiter: string): Entry[] {
  const entries: Entry[] = [];
  for (const upload of uploads) {
    const cut = delimiter ? upload.key.indexOf(delimiter, prefix.length) : -1;
    const name = cut < 0 ? upload.key : upload.key.slice(0, cut + delimiter.length);
    if (cut < 0) entries.push({ name, upload });
    else if (entries.at(-1)?.name !== name) entries.push({ name });
  }
  return entries;
}

/** Sorts by key, then by start time, then by id. */
function inListingOrder(a: Upload, b: Upload): number {
  return compareUtf8(a.key, b.key) || compareUtf8(a.id, b.id);
}

/** Whether the entry comes after the markers. With an id marker, later uploads of the same key also come after them. */
function isAfter({ name, upload }: Entry, keyMarker: string, idMarker: string): boolean {
  const order = compareUtf8(name, keyMarker);
  return (
    order > 0 ||
    (order === 0 && idMarker !== '' && upload !== undefined && compareUtf8(upload.id, idMarker) > 0)
  );
}

function describe(upload: Upload, encode: (key: string) => string) {
  return {
    Key: encode(upload.key),
    UploadId: upload.id,
    Initiator: owner,
    Owner: owner,
    StorageClass: upload.headers['x-amz-storage-class'] ?? 'STANDARD',
    Initiated: new Date(upload.initiated).toISOString(),
    ChecksumAlgorithm: upload.checksum?.algorithm,
    ChecksumType: upload.checksum?.type,
  };
}
