/** What all clients of AWS's services have in common: how they wait, and which of their errors pass. */
import { AdaptiveRetryStrategy } from '@smithy/core/retry';
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

/** How often a service is asked that throttles: the SDK waits up to 20 s between attempts, some two minutes in all. */
const THROTTLED_ATTEMPTS = 10;
/** How often one is asked that fails by itself: as often as the SDK does where nothing is said. */
const FAILING_ATTEMPTS = 3;
/** How often one is asked that says nothing, which takes all of the time that an answer may take. */
const SILENT_ATTEMPTS = 2;

/**
 * For clients whose requests the service counts in a time, and throttles together: they are slower then. Each is to have its own.
 * Once it was throttled, a client holds further requests back, their first attempts as well, though one in two seconds it sends
 * (SDKs and Tools Reference Guide, "Retry behavior"; `minFillRate` of the SDK's rate limiter). The SDK's own asks a service that
 * is broken as often, ten times half a minute where it is silent: its step then says so, and is tried again.
 */
export const holdingBack = () => ({ maxAttempts: THROTTLED_ATTEMPTS, retryStrategy: new HoldingBack() });

type Refreshing = Parameters<AdaptiveRetryStrategy['refreshRetryTokenForRetry']>;

class HoldingBack extends AdaptiveRetryStrategy {
  constructor() {
    super(async () => THROTTLED_ATTEMPTS);
  }

  override async refreshRetryTokenForRetry(token: Refreshing[0], failed: Refreshing[1]) {
    const isSpent = failed.errorType !== 'THROTTLING' && token.getRetryCount() + 1 >= attemptsAfter(failed);
    if (isSpent) throw new Error('What is broken is not asked more often');
    return super.refreshRetryTokenForRetry(token, failed);
  }
}

const attemptsAfter = ({ error }: Refreshing[1]): number =>
  (error as Error | undefined)?.name === 'TimeoutError' ? SILENT_ATTEMPTS : FAILING_ATTEMPTS;

export type ServiceError = Error & {
  readonly $fault?: 'client' | 'server';
  readonly $retryable?: { readonly throttling?: boolean };
  readonly $metadata?: { readonly httpStatusCode?: number };
};

/**
 * Names under which services say that they are asked too much, whatever status they say it with. Those of texts and batches that
 * are too large end alike, and stay what they are.
 */
const tooMuch = /Throttl|TooManyRequests|(?<!Size)LimitExceeded|ThroughputExceeded|SlowDown|ModelNotReady/i;

/** Names under which they fail by themselves. */
const failing =
  /ServiceUnavailable|ServiceFailure|Internal(?:Server|Failure|Error)|ModelError|Time(?:d)?out/i;

const offline = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)/;

/** Whether the service is well and was asked too much: by us, or by all who share the quota of the account. */
export const isThrottling = (error: ServiceError): boolean =>
  tooMuch.test(error.name) ||
  error.$metadata?.httpStatusCode === 429 ||
  error.$retryable?.throttling === true;

/** Whether asking again may go well: the service is asked too much, cannot be reached, or failed by itself. */
export const isPassing = (error: ServiceError): boolean =>
  isThrottling(error) ||
  failing.test(error.name) ||
  offline.test((error as NodeJS.ErrnoException).code ?? '') ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  error.$fault === 'server' ||
  Boolean(error.$retryable);
