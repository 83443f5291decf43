/** Reads a JSON request body and normalizes its text. */
import { itemAt } from '../../shared/checked-access.ts';
import { Problem } from '../../shared/problems.ts';
import { isSafeToNormalize, MOST_MARKS } from '../../shared/safe-text.ts';
import type { HttpEvent } from './http.ts';

/**
 * The largest body in bytes. API Gateway accepts 10 MB, but Lambda accepts 6,291,456 bytes of event (Lambda quotas,
 * synchronous payload), and the event contains the body as a JSON string beside the headers. AWS itself refuses longer
 * requests, without our problem document.
 */
export const MAX_BYTES = 6_000_000;
const MAX_DEPTH = 32;

/** The parsed body; undefined if the request has none. Strings are NFC. */
export function readJsonBody(event: HttpEvent): unknown {
  if (event.body === undefined || event.body === null || event.body === '') return undefined;
  requireJson(event.headers?.['content-type']);
  const bytes = event.isBase64Encoded ? Buffer.from(event.body, 'base64') : Buffer.from(event.body, 'utf8');
  if (bytes.length > MAX_BYTES) {
    throw new Problem(
      'payload_too_large',
      `The request body is too large. The maximum is ${MAX_BYTES} bytes.`,
    );
  }
  return normalized(parse(bytes), 0);
}

function requireJson(contentType: string | undefined): void {
  const type = itemAt((contentType ?? '').split(';', 1), 0)
    .trim()
    .toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return;
  const sent = type === '' ? 'no Content-Type' : `Content-Type ${JSON.stringify(type)}`;
  throw new Problem('unsupported_media_type', `The request has ${sent}; send application/json.`);
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
  // API Gateway replaces bytes that are not UTF-8 by this character.
  if (text.includes('\ufffd')) throw notUtf8();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed_json', `The body is not JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

const notUtf8 = () =>
  new Problem('malformed_json', 'The body is not UTF-8. To send U+FFFD, write `\\ufffd`.');

function normalized(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH)
    throw new Problem('malformed_json', `The body has more than ${MAX_DEPTH} levels of nesting.`);
  if (typeof value === 'string') return normalizedText(value);
  // DynamoDB cannot store smaller numbers (developer guide, "Data types": 1E-130). Such numbers become 0.
  if (typeof value === 'number' && Math.abs(value) < 1e-130) return 0;
  if (Array.isArray(value)) return value.map((item) => normalized(item, depth + 1));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, member]) => {
    if (name === '__proto__')
      throw new Problem('malformed_json', 'A member has the reserved name `__proto__`.');
    return [normalizedText(name), normalized(member, depth + 1)] as const;
  });
  const members = Object.fromEntries(entries);
  if (Object.keys(members).length === entries.length) return members;
  throw new Problem('malformed_json', 'Two member names are equal after Unicode normalization (NFC).');
}

function normalizedText(text: string): string {
  if (!text.isWellFormed())
    throw new Problem('malformed_json', 'A string contains half of a surrogate pair.');
  if (!isSafeToNormalize(text)) {
    throw new Problem(
      'malformed_json',
      `A string contains more than ${MOST_MARKS} combining marks in a row.`,
    );
  }
  return text.normalize('NFC');
}
