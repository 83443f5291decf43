/** An HTTP request to S3: bucket, key, headers and query, without normalization. */
import type { IncomingMessage } from 'node:http';
import { isOwnHost } from '../own-host.ts';
import { S3Error } from './errors.ts';

export type S3Request = {
  id: string;
  method: string;
  /** The decoded path. Dots and double slashes stay as they were sent and signed. */
  path: string;
  bucket?: string;
  key?: string;
  query: [name: string, value: string][];
  /** The headers as they were sent. Names are in lower case, and repeated headers are joined by a comma. */
  sentHeaders: Map<string, string>;
  /** Returns a header by its lower-case name. In a presigned URL, `x-amz-*` headers may be in the query, where they are also signed. */
  header(name: string): string | undefined;
  /** Returns the names of all headers that `header` finds. */
  headerNames(): string[];
  /** Returns the first value of a query parameter. */
  parameter(name: string): string | undefined;
  incoming: IncomingMessage;
  /** Tells a client that waits for `100 Continue` to send the body. */
  invite(): void;
};

/** Throws S3Error for an invalid path, a key that is too long or another host. @param hosts the names under which a subdomain is a bucket */
export function readRequest(
  incoming: IncomingMessage,
  id: string,
  hosts: string[],
  invite: () => void,
): S3Request {
  const target = incoming.url ?? '/';
  const questionMark = target.indexOf('?');
  const rawPath = questionMark < 0 ? target : target.slice(0, questionMark);
  if (!rawPath.startsWith('/')) throw new S3Error('InvalidURI');

  const path = decode(rawPath);
  const query = questionMark < 0 ? [] : parseQuery(target.slice(questionMark + 1));
  const sentHeaders = joinHeaders(incoming.rawHeaders);
  requireKnownHost(sentHeaders.get('host'), hosts);
  const headers = new Map([...amazonHeadersIn(query), ...sentHeaders]);
  return {
    id,
    method: incoming.method ?? 'GET',
    path,
    ...address(path, sentHeaders.get('host') ?? '', hosts),
    query,
    sentHeaders,
    header: (name) => headers.get(name),
    headerNames: () => [...headers.keys()],
    parameter: (name) => query.find(([each]) => each === name)?.[1],
    incoming,
    invite,
  };
}

function requireKnownHost(host: string | undefined, hosts: string[]): void {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '');
  const isOfAmazon = hosts.some((each) => name === each || name.endsWith(`.${each}`));
  if (!isOfAmazon && !isOwnHost(host)) throw new S3Error('AccessDenied');
}

/** The maximum length of a key in Amazon S3: 1,024 bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;

function address(path: string, hostHeader: string, hosts: string[]): { bucket?: string; key?: string } {
  const host = hostHeader.toLowerCase().replace(/:\d+$/, '');
  const base = hosts.find((each) => host.endsWith(`.${each}`));
  const slash = path.indexOf('/', 1);
  const bucket = base ? host.slice(0, -base.length - 1) : path.slice(1, slash < 0 ? undefined : slash);
  const key = base ? path.slice(1) : slash < 0 ? '' : path.slice(slash + 1);
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', undefined, {
      Size: Buffer.byteLength(key),
      MaxSizeAllowed: MAX_KEY_BYTES,
    });
  }
  return { ...(bucket && { bucket }), ...(key && { key }) };
}

/** Parses a query. S3 reads `+` as a space in a query, but not in a path. Throws InvalidURI if the text is not percent-encoded UTF-8. */
export function parseQuery(text: string): [string, string][] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? '' : pair.slice(equals + 1);
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });
}

/** Decodes percent-encoded text. As S3 requires, throws unless the text is ASCII and the decoded bytes are UTF-8. */
function decode(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new S3Error('InvalidURI');
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

function joinHeaders(raw: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? raw[at + 1]! : `${before},${raw[at + 1]}`);
  }
  return headers;
}

/** Returns Amazon's headers in the query of a presigned URL, in the form of Node's headers: UTF-8 as Latin-1. Refuses control characters. */
function amazonHeadersIn(query: [string, string][]): [string, string][] {
  const isPresigned = query.some(([name]) => name === 'X-Amz-Signature');
  const amazon = isPresigned ? query.filter(([name]) => name.toLowerCase().startsWith('x-amz-')) : [];
  return amazon.map(([name, value]) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break here would forge further headers
    if (/[\u0000-\u001f\u007f]/.test(value) || !/^[\w-]+$/.test(name)) {
      throw new S3Error('InvalidArgument', 'A header in the query is not a valid header', {
        ArgumentName: name,
      });
    }
    return [name.toLowerCase(), Buffer.from(value, 'utf8').toString('latin1')];
  });
}
