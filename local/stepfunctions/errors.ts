/** The two families of errors: those a state reports inside an execution, those the API answers with. */

/** The error that a failed state hands to Retry and Catch, or that ends an execution. */
export interface Failure {
  error?: string;
  cause?: string;
  /** A missed heartbeat: reported as States.Timeout, matched by States.HeartbeatTimeout as well. */
  heartbeat?: true;
  /** The field whose expression failed; makes the history say EvaluationFailed. */
  location?: string;
}

/** Thrown by a running state; carries the Error Output of the specification's "Errors" section. */
export class StateError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.error ?? 'an unnamed error'}: ${failure.cause ?? ''}`);
    this.failure = failure;
  }
}

/** Thrown where a state is given up because its execution, its branch or the server stopped. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}

/** Step Functions service quota "Maximum input or result size": 256 KiB of UTF-8. */
export const MAX_PAYLOAD_BYTES = 262_144;

/**
 * Refuses a payload over 256 KiB.
 * @throws StateError States.DataLimitExceeded
 */
export function withinDataLimit<T>(value: T, subject: string): T {
  if (Buffer.byteLength(JSON.stringify(value)) <= MAX_PAYLOAD_BYTES) return value;
  throw new StateError({
    error: 'States.DataLimitExceeded',
    cause: `The ${subject} has a size exceeding the maximum number of bytes service limit.`,
  });
}

/** An error that nothing in the machine may handle. docs: "Handling errors", States.Runtime */
export function runtimeError(cause: string): StateError {
  return new StateError({ error: 'States.Runtime', cause });
}

/** An answer of the API other than success; `type` is the exception's name in the service model. */
export class ServiceError extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}
