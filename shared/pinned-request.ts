/** Sends requests to addresses that tenants set: only to allowed IP addresses, without following redirects. */
import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost } from './public-addresses.ts';

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Time limit for a connection that makes no progress, ms: for the TCP and TLS handshakes, for a pause while the body is sent, and for the
 * start of the answer. Without this limit, a server that never answers would hold a place for minutes.
 */
export const SILENCE_MS = 15_000;

export const silent = (silenceMs: number) =>
  Object.assign(new Error(`no answer in ${silenceMs} ms`), { code: 'ETIMEDOUT' });

/** Sends a request. Rejects if the server does not respond. Throws if the URL or a header is invalid. */
export function requestPinned(
  { method, url, headers, body }: Request,
  allows: (address: string) => boolean,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<IncomingMessage> {
  const target = new URL(url);
  const host = bareHost(target);
  // Checked here, because Node does not call the look-up (`onlyTo`) for a host that is an IP address.
  if (isIP(host) !== 0 && !allows(host)) return Promise.reject(new Error(notAllowed(host)));
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = send(target, {
    method,
    headers: { ...headers, 'Content-Length': String(body?.byteLength ?? 0) },
    agent: false,
    lookup: onlyTo(allows),
    signal,
    // Node applies this option before the connection exists, and measures the progress of large bodies.
    timeout: silenceMs,
  });
  sent.on('timeout', () => sent.destroy(silent(silenceMs)));
  sent.end(body);
  // Ignores errors after the start of the response here. The response also reports these errors.
  sent.on('error', () => {});
  return once(sent, 'response').then(([response]) => response);
}

export const notAllowed = (address: string) => `${address} is not an address of the public internet`;

/**
 * A look-up that returns only allowed addresses. The connection uses its result, so there is no second look-up. A name without an allowed
 * address fails like a name that does not exist, so that the error does not show the address of a private name.
 */
export function onlyTo(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null && error.code !== 'ENOTFOUND') return callback(error, '');
      const usable = (found ?? []).filter(({ address }) => allows(address));
      const [first] = usable;
      if (first === undefined) {
        const message = `${hostname} has no address of the public internet`;
        return callback(Object.assign(new Error(message), { code: 'ENOTFOUND' }), '');
      }
      return options.all ? callback(null, usable) : callback(null, first.address, first.family);
    });
}
