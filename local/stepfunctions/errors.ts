/** Two kinds of errors: of states in an execution, and of the API. */

/** The error that a failed state passes to Retry and Catch, or that ends an execution. */
export interface Failure {
  error?: string;
  cause?: string;
  /** Set for a missed heartbeat. It is reported as States.Timeout, but also matches States.HeartbeatTimeout. */
  heartbeat?: true;
  /** The field whose expression failed. With it, the history has an EvaluationFailed event. */
  location?: string;
}

/** Thrown by a running state. `failure` is the Error Output of the specification's section "Errors". */
export class StateError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.error ?? 'an unnamed error'}: ${failure.cause ?? ''}`);
    this.failure = failure;
  }
}

/** Thrown in a state if its execution or its branch was canceled, or the server stopped. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}

/** Step Functions service quota "Maximum input or result size": 256 KiB of UTF-8. */
export const MAX_PAYLOAD_BYTES = 262_144;

/** Refuses a payload over 256 KiB with States.DataLimitExceeded. */
export function withinDataLimit<T>(value: T, subject: string): T {
  if (Buffer.byteLength(JSON.stringify(value)) <= MAX_PAYLOAD_BYTES) return value;
  throw new StateError({
    error: 'States.DataLimitExceeded',
    cause: `The ${subject} has a size exceeding the maximum number of bytes service limit.`,
  });
}

/** Returns an error that no Retry or Catch may handle: States.Runtime ("Handling errors"). */
export function runtimeError(cause: string): StateError {
  return new StateError({ error: 'States.Runtime', cause });
}

/** An error answer of the API. `type` is the name of the exception in the service model. */
export class ServiceError extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}
