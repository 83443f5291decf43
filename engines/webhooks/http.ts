/** Sends webhooks by HTTP. Does not follow redirects, and does not read the body of the response. `ENGINE_WEBHOOKS=http` */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { notAllowed, onlyTo } from '../../shared/pinned-lookup.ts';
import { bareHost } from '../../shared/public-addresses.ts';
import { type Outcome, type Outgoing, webhookEngine } from './port.ts';

export const http = webhookEngine({
  name: 'http',
  runs: ['aws', 'local'],
  languages: 'any',
  settings: {},
  permissions: {},
  make: () => ({ post }),
});

/** Time limit. Standard Webhooks suggests 15 to 30 s. */
const TIMEOUT_MS = 15_000;

/**
 * @param allows checks the IP address of the actual connection. So a name that resolves to another address at its
 * second look-up is still refused (DNS rebinding).
 */
export async function post(
  { url, headers, body }: Outgoing,
  allows: (address: string) => boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<Outcome> {
  const target = new URL(url);
  const host = bareHost(target);
  if (isIP(host) !== 0 && !allows(host)) return unanswered(notAllowed(host));
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve) => {
    const sent = request(target, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      agent: false,
      lookup: onlyTo(allows),
      signal,
    });
    sent.on('response', (response) => {
      const { statusCode = 0, headers: received } = response;
      response.destroy();
      resolve({ status_code: statusCode, error: null, retry_after_s: secondsOf(received['retry-after']) });
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      // If several addresses failed, the message is empty and only the code is useful.
      resolve(
        unanswered(
          signal.aborted
            ? `no answer within ${timeoutMs / 1000} s`
            : error.message || (error.code ?? error.name),
        ),
      ),
    );
    sent.end(body);
  });
}

const unanswered = (error: string): Outcome => ({ status_code: null, error, retry_after_s: null });

function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
