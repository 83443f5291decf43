/** Checks the result of a function. CloudFront answers 502 if it is invalid (developer guide, "Restrictions on all edge functions"). */
import type { EventRequest, EventResponse } from './event.ts';

export class ResultRefused extends Error {
  override name = 'ResultRefused';
}

const DISALLOWED =
  /^(connection|expect|keep-alive|proxy-.*|trailer|upgrade|x-accel-.*|x-amz-cf-.*|x-amzn-.*|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/;
const readOnlyInRequests = ['content-length', 'host', 'transfer-encoding', 'via'];
const readOnlyInResponses = ['content-encoding', 'content-length', 'transfer-encoding', 'warning', 'via'];
/** The maximum number of bytes in a body that a function returns. */
const LARGEST_BODY_BYTES = 40 * 1024;

export const isResponse = (result: EventRequest | EventResponse): result is EventResponse =>
  'statusCode' in result;

export function checkRequest(before: EventRequest, after: EventRequest): void {
  refuseIf(after.method !== before.method, 'the method is read-only');
  refuseIf(typeof after.uri !== 'string' || !after.uri.startsWith('/'), 'a URI begins with a slash');
  refuseIf(/[^\x21-\x7e]/.test(after.uri), 'a URI is ASCII without spaces');
  checkHeaders(before.headers, after.headers, readOnlyInRequests);
}

export function checkGenerated({ statusCode, headers, body }: EventResponse): void {
  checkStatus(statusCode);
  const data = typeof body === 'object' ? body.data : (body ?? '');
  refuseIf(Buffer.byteLength(data) > LARGEST_BODY_BYTES, 'the body is too large');
  checkHeaders({}, headers, ['content-length', 'transfer-encoding', 'via', 'warning']);
}

export function checkResponse(before: EventResponse, after: EventResponse): void {
  checkStatus(after.statusCode);
  checkHeaders(before.headers, after.headers, readOnlyInResponses);
}

function checkStatus(status: number): void {
  refuseIf(!Number.isInteger(status) || status < 200 || status > 599, `${status} is no status`);
}

function checkHeaders(
  before: EventResponse['headers'] = {},
  after: EventResponse['headers'] = {},
  readOnly: readonly string[],
): void {
  for (const [name, header] of Object.entries(after)) {
    const lines = header.multiValue?.map(({ value }) => value) ?? [header.value];
    refuseIf(!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name), `${name} is no lower-case header name`);
    refuseIf(DISALLOWED.test(name) && !(name in before), `functions may not set ${name}`);
    refuseIf(
      lines.some((line) => typeof line !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(line)),
      `${name} has a value that no header can have`,
    );
  }
  for (const name of readOnly) {
    refuseIf(JSON.stringify(before[name]) !== JSON.stringify(after[name]), `${name} is read-only`);
  }
}

function refuseIf(isWrong: boolean, what: string): void {
  if (isWrong) throw new ResultRefused(what);
}
