/** What engines that ask services of AWS have in common. */
import { isPassing, type ServiceError } from '../platform/shared/aws-services.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  providerUnavailable,
} from '../platform/shared/job-errors.ts';

export { isPassing, patience, type ServiceError } from '../platform/shared/aws-services.ts';

/** Of AWS KMS, ms: three answers fit into the half minute that requests and deliveries have. */
export const KMS_ANSWER_MS = 5000;

/**
 * Of clients whose requests the service counts in a time. The SDK waits up to 20 s between attempts, some two minutes in all; and
 * once it was throttled it holds further requests back, their first attempts as well, though one in two seconds it sends
 * (SDKs and Tools Reference Guide, "Retry behavior"; `minFillRate` of the SDK's rate limiter). For clients whose requests are throttled together.
 */
export const holdingBack = { maxAttempts: 10, retryMode: 'adaptive' };

/** Whether the name of the service does not resolve, after all attempts: it has no address in this region. */
const isElsewhere = (error: ServiceError): boolean => (error as NodeJS.ErrnoException).code === 'ENOTFOUND';

/**
 * Why a service did not do as it was asked, as a step tells it: for a later attempt where that may go well, and else for good.
 * @param service as people know it: "Amazon Polly"
 * @param what it was asked to take: "a text"
 */
export function refusalBy(service: string, what: string, error: ServiceError): JobError {
  // Not for a later attempt: they would go on for an hour and more, and each would do all work again.
  if (isElsewhere(error))
    return engineUnavailable(`${service} cannot be found in the region of this environment.`, error);
  if (isPassing(error))
    return providerUnavailable(`${service} is busy or does not answer at the moment.`, error);
  return internalError(`${service} refused ${what}. Its reason is in the log of this environment.`, error);
}
