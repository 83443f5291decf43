/** ListObjectVersions, without delimiter. */
import { compareUtf8 } from '../store/sorted-keys.ts';
import type { Version } from '../store/versions.ts';
import { keyEncoding } from './list-objects.ts';
import { bucketOf, type Operation, pageSize, xmlResponse } from './operation.ts';

export const listObjectVersions: Operation = async (context) => {
  const { request } = context;
  const bucket = bucketOf(context);
  const encode = keyEncoding(request.parameter('encoding-type'));
  const prefix = request.parameter('prefix') ?? '';
  const [keyMarker, versionMarker] = [
    request.parameter('key-marker') ?? '',
    request.parameter('version-id-marker') ?? '',
  ];
  const maxKeys = pageSize(request, 'max-keys');
  const all = bucket
    .keysEver()
    .filter((key) => key.startsWith(prefix) && compareUtf8(key, keyMarker) >= 0)
    .sort(compareUtf8)
    .flatMap((key) => bucket.versionsOf(key).map((version, at) => ({ ...version, isLatest: at === 0 })));
  const after = all.findIndex(({ key, versionId }) => key === keyMarker && versionId === versionMarker);
  const rest = versionMarker ? all.slice(after + 1) : all.filter(({ key }) => key !== keyMarker);
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = rest.length > page.length && last !== undefined;
  const named = ({ key, versionId, modified, isLatest }: Version & { isLatest: boolean }) => ({
    Key: encode(key),
    VersionId: versionId,
    IsLatest: isLatest,
    LastModified: new Date(modified).toISOString(),
  });
  return xmlResponse('ListVersionsResult', {
    Name: request.bucket!,
    Prefix: encode(prefix),
    KeyMarker: encode(keyMarker),
    VersionIdMarker: versionMarker,
    MaxKeys: maxKeys,
    EncodingType: request.parameter('encoding-type'),
    IsTruncated: isTruncated,
    NextKeyMarker: isTruncated ? encode(last.key) : undefined,
    NextVersionIdMarker: isTruncated ? last.versionId : undefined,
    Version: page.flatMap((version) =>
      version.object
        ? [{ ...named(version), ETag: `"${version.object.etag}"`, Size: version.object.size }]
        : [],
    ),
    DeleteMarker: page.flatMap((version) => (version.object ? [] : [named(version)])),
  });
};
