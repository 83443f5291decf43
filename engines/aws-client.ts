/** What clients of AWS's services have in common, whatever engine they are of. */

/** By itself the SDK waits for an answer for as long as its Lambda lives. @param answer_ms how long one may take */
export const patience = (answer_ms: number) => ({
  connectionTimeout: 3000,
  requestTimeout: answer_ms,
  throwOnRequestTimeout: true,
});

/**
 * Of clients whose requests the service counts in a time. The SDK waits up to 20 s between attempts, some two minutes in all; and
 * once it was throttled it holds further requests back, their first attempts as well, though one in two seconds it sends
 * (SDKs and Tools Reference Guide, "Retry behavior"; `minFillRate` of the SDK's rate limiter). For clients whose requests are throttled together.
 */
export const holdingBack = { maxAttempts: 10, retryMode: 'adaptive' };

export type ServiceError = Error & { $fault?: 'client' | 'server'; $retryable?: object };

/** Whether asking again may go well: the service is busy, cannot be reached, or failed by itself. @param busy its names for that */
export const isPassing = (error: ServiceError, busy: RegExp): boolean =>
  busy.test(error.name) ||
  offline.test((error as NodeJS.ErrnoException).code ?? '') ||
  error.$fault === 'server' ||
  Boolean(error.$retryable);

/** Whether the name of the service does not resolve, after all attempts: it has no address in this region. */
export const isElsewhere = (error: ServiceError): boolean =>
  (error as NodeJS.ErrnoException).code === 'ENOTFOUND';

const offline = /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE/;
