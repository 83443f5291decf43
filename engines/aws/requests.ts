/** Sends the requests of engines to AWS services, and turns the errors of a service into job errors. */
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

interface Handling<Answer> {
  readonly signal?: AbortSignal | undefined;
  /** Throws a job error, or returns an answer that replaces the error. If it returns undefined, `toJobError` converts the error. */
  readonly onError?: ((error: ServiceError) => { readonly answer: Answer } | undefined) | undefined;
}

/**
 * Returns a function that sends one request. If the request is canceled, the function throws the signal's reason.
 * @param service the name of the service for users: "Amazon Polly" @param content the thing that the request contains: "a text"
 */
export const requestsTo =
  (service: string, content: string) =>
  async <Answer>(
    send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
    { signal, onError }: Handling<Answer> = {},
  ): Promise<Answer> => {
    try {
      return await send(signal ? { abortSignal: signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      const handled = onError?.(error);
      if (handled) return handled.answer;
      throw toJobError(service, content, error);
    }
  };

/** Returns true if the name of the service did not resolve: AWS does not offer the service in this region. */
const isMissingInRegion = (error: ServiceError): boolean => 'code' in error && error.code === 'ENOTFOUND';

/** Returns the job error for an error that remained after the last attempt of the SDK. */
export function toJobError(service: string, content: string, error: ServiceError): JobError {
  // Not retryable, because each retry would repeat all the work of the step.
  if (isMissingInRegion(error))
    return engineUnavailable(`${service} is not available in the region of this environment.`, error);
  if (isThrottling(error)) return providerThrottled(`${service} is throttling requests.`, error);
  if (isPassing(error)) return providerUnavailable(`${service} does not answer or has failed.`, error);
  return internalError(
    `${service} rejected ${content}. The reason is in the log of this environment.`,
    error,
  );
}
