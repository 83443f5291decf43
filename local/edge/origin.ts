/** Reads the bucket as CloudFront does, with OAC and the permission to list. For a missing object, the bucket answers 404 in XML. */
import type { BuiltSite, StoredObject } from './built-site.ts';
import { type Answer, headersOf } from './message.ts';

/** Reads the object at a URI without its query. S3 decodes the path once. */
export function readOrigin(site: BuiltSite, uri: string): Answer {
  const key = uri === '/' ? site.distribution.defaultRootObject : keyOf(uri);
  if (key === undefined) return failure(400, 'InvalidURI', 'Couldn’t parse the specified URI.');
  const object = site.object(key);
  return object === undefined
    ? failure(404, 'NoSuchKey', 'The specified key does not exist.')
    : { status: 200, headers: headersOfObject(object), body: object.body };
}

function keyOf(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(1));
  } catch {
    return undefined;
  }
}

function headersOfObject(object: StoredObject): Answer['headers'] {
  const metadata = Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  return headersOf({
    'content-type': object.contentType,
    'content-length': String(object.body.length),
    'content-encoding': object.contentEncoding,
    'content-language': object.contentLanguage,
    'cache-control': object.cacheControl,
    etag: object.etag,
    'last-modified': object.lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'x-amz-server-side-encryption': 'AES256',
    ...Object.fromEntries(metadata),
  });
}

function failure(status: number, code: string, message: string): Answer {
  const body = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
  return { status, headers: headersOf({ 'content-type': 'application/xml' }), body };
}
