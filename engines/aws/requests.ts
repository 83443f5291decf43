/** What engines that ask services of AWS have in common. */
import { isPassing, isThrottling, type ServiceError } from '../../shared/aws-services.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  providerThrottled,
  providerUnavailable,
} from '../../shared/job-errors.ts';

export {
  holdingBack,
  isPassing,
  isThrottling,
  patience,
  type ServiceError,
} from '../../shared/aws-services.ts';

/** Of AWS KMS, ms: three answers fit into the half minute that requests and deliveries have. */
export const KMS_ANSWER_MS = 5000;

/** Whether the name of the service does not resolve, after all attempts: it has no address in this region. */
const isElsewhere = (error: ServiceError): boolean => (error as NodeJS.ErrnoException).code === 'ENOTFOUND';

/**
 * Why a service did not do as it was asked, as a step tells it: for a later attempt where that may go well, and else for good.
 * @param service as people know it: "Amazon Polly"
 * @param what it was asked to take: "a text"
 */
export function refusalBy(service: string, what: string, error: ServiceError): JobError {
  // Not for a later attempt: they would go on for minutes, and each would do all work again.
  if (isElsewhere(error))
    return engineUnavailable(`${service} cannot be found in the region of this environment.`, error);
  if (isThrottling(error))
    return providerThrottled(`${service} takes no more requests at the moment.`, error);
  if (isPassing(error))
    return providerUnavailable(`${service} does not answer at the moment, or fails by itself.`, error);
  return internalError(`${service} refused ${what}. Its reason is in the log of this environment.`, error);
}
