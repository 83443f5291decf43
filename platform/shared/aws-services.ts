/** What all clients of AWS's services have in common: how they wait, and which of their errors pass. */
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** How long the network may take to connect, ms. */
const CONNECT_MS = 3000;

/**
 * How a client asks: by itself the SDK waits for an answer for as long as its Lambda lives. Over HTTP/1.1 whatever the
 * service, since an answer over HTTP/2 that breaks off looks like one that ended (docs/decisions/0066).
 * @param answer_ms how long an answer may take to begin
 * @param silence_ms how long the connection may be silent once it has begun
 */
export const patience = (answer_ms: number, silence_ms = answer_ms) =>
  new NodeHttpHandler({
    connectionTimeout: CONNECT_MS,
    requestTimeout: answer_ms,
    socketTimeout: silence_ms,
    throwOnRequestTimeout: true,
  });

export type ServiceError = Error & {
  readonly $fault?: 'client' | 'server';
  readonly $retryable?: object;
  readonly $metadata?: { readonly httpStatusCode?: number };
};

/**
 * Names under which services say that they are busy, whatever status they say it with. Those of texts and batches that
 * are too large end alike, and stay what they are.
 */
const busy =
  /Throttl|TooManyRequests|(?<!Size)LimitExceeded|ThroughputExceeded|SlowDown|ServiceUnavailable|ServiceFailure|Internal(?:Server|Failure|Error)|Model(?:NotReady|Error)|Time(?:d)?out/i;

const offline = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)/;

/** Whether asking again may go well: the service is busy, cannot be reached, or failed by itself. */
export const isPassing = (error: ServiceError): boolean =>
  busy.test(error.name) ||
  offline.test((error as NodeJS.ErrnoException).code ?? '') ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  error.$metadata?.httpStatusCode === 429 ||
  error.$fault === 'server' ||
  Boolean(error.$retryable);
