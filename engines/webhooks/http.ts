/** Sends webhooks by HTTP. Does not follow redirects, and does not read the body of the response. `ENGINE_WEBHOOKS=http` */
import { requestPinned } from '../../shared/pinned-request.ts';
import { type Outcome, type Outgoing, webhookEngine } from './port.ts';

export const http = webhookEngine({
  name: 'http',
  runs: ['aws', 'local'],
  make: () => ({ post }),
});

/** Time limit, ms. Standard Webhooks suggests 15 to 30 s. */
const TIMEOUT_MS = 15_000;

/** @param allows checks the IP address of the connection itself, which prevents DNS rebinding */
export async function post(
  { url, headers, body, timeout_ms: timeoutMs = TIMEOUT_MS }: Outgoing,
  allows: (address: string) => boolean,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  const responding = requestPinned({ method: 'POST', url, headers, body: Buffer.from(body) }, allows, signal);
  try {
    const { statusCode = 0, headers: received } = (await responding).destroy();
    return { status_code: statusCode, error: null, retry_after_s: secondsOf(received['retry-after']) };
  } catch (error) {
    const { message, code, syscall, name } = error as NodeJS.ErrnoException;
    // The message of a failed connection names the address. The message is empty if several addresses were tried and all failed.
    const failure = syscall === 'connect' ? `connect ${code}` : message || (code ?? name);
    const reason = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : failure;
    return { status_code: null, error: reason, retry_after_s: null };
  }
}

function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
