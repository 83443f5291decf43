/** Shared by all clients of AWS services: time-outs, retries, and the classes of their errors. */
import { AdaptiveRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const CONNECT_MS = 3000;

/**
 * Time-outs of a client. Without them, the SDK waits until Lambda ends the function. The client always uses HTTP/1.1,
 * because an interrupted response over HTTP/2 looks complete (docs/decisions/0066).
 * @param answer_ms time-out for the start of the response
 * @param silence_ms time-out for a pause within the response
 */
export const patience = (answer_ms: number, silence_ms = answer_ms) =>
  new NodeHttpHandler({
    connectionTimeout: CONNECT_MS,
    requestTimeout: answer_ms,
    socketTimeout: silence_ms,
    throwOnRequestTimeout: true,
  });

/** The number of attempts if a service throttles. The SDK waits up to 20 s between two attempts, about two minutes in total. */
const THROTTLED_ATTEMPTS = 10;
/** The number of attempts if a service fails. This is the SDK's default. */
const FAILING_ATTEMPTS = 3;
/** The number of attempts if a service does not respond. Each attempt takes the whole time-out. */
const SILENT_ATTEMPTS = 2;

/**
 * Options of a client whose service limits the request rate of the whole account. Each client needs a separate strategy. After throttling,
 * the client delays all further requests, but sends at least one in two seconds (SDKs and Tools Reference Guide, "Retry behavior";
 * `minFillRate` of the SDK's rate limiter). The SDK's strategy would also try a broken service ten times, which takes half a minute per
 * attempt without a response. With this strategy, the step fails sooner and is retried.
 */
export const holdingBack = () => ({ maxAttempts: THROTTLED_ATTEMPTS, retryStrategy: new HoldingBack() });

type Refreshing = Parameters<AdaptiveRetryStrategy['refreshRetryTokenForRetry']>;

class HoldingBack extends AdaptiveRetryStrategy {
  constructor() {
    super(async () => THROTTLED_ATTEMPTS);
  }

  override async refreshRetryTokenForRetry(token: Refreshing[0], failed: Refreshing[1]) {
    const isSpent = failed.errorType !== 'THROTTLING' && token.getRetryCount() + 1 >= attemptsAfter(failed);
    if (isSpent) throw new Error('The retry budget for an unavailable service is used up');
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

/** Matches throttling errors with any HTTP status, but not errors about texts or batches that are too large. */
const tooMuch = /Throttl|TooManyRequests|(?<!Size)LimitExceeded|ThroughputExceeded|SlowDown|ModelNotReady/i;

const failing =
  /ServiceUnavailable|ServiceFailure|Internal(?:Server|Failure|Error)|ModelError|Time(?:d)?out/i;

const offline = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)/;

/** Whether the service works and received too many requests: from Kinora, or from other software in the account. */
export const isThrottling = (error: ServiceError): boolean =>
  tooMuch.test(error.name) ||
  error.$metadata?.httpStatusCode === 429 ||
  error.$retryable?.throttling === true;

/** Whether a retry may succeed: the service throttles, cannot be reached, or failed internally. */
export const isPassing = (error: ServiceError): boolean =>
  isThrottling(error) ||
  failing.test(error.name) ||
  offline.test((error as NodeJS.ErrnoException).code ?? '') ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  error.$fault === 'server' ||
  Boolean(error.$retryable);
