/**
 * The types of the tables of AWS calls: which calls exist, how a test drives each call, and the expected result of each
 * failure.
 */
import type { JobErrorCode, StepFailure } from '../../../contract/kit/errors.ts';
import type { Answer, Asked, Form, Sdk } from './wire.ts';

/**
 * The expected result. A code or a name means a JobError. `gives` is a return value. `named` is an error of the service
 * or of our own with this name. 'passing' and 'its own' mean an unchanged error, which the API answers with 503 or with
 * 500.
 */
export type Fate =
  | JobErrorCode
  | StepFailure
  | { readonly gives: unknown }
  | { readonly named: string }
  | 'passing'
  | 'its own';

export interface Service {
  /** The service name in `@aws-sdk/client-…`. */
  readonly name: string;
  readonly sdk: Sdk;
  readonly form: Form;
  /**
   * Errors that the documentation does not list by operation, with their status: "Common errors" of the API reference,
   * and pages about quotas.
   */
  readonly common: Readonly<Record<string, number>>;
  /** The errors with the same result for all operations of the service, including common errors and lost connections. */
  readonly fates: Readonly<Record<string, Fate>>;
}

export type Answering = Answer | ((asked: Asked) => Answer);

export interface Call {
  readonly service: Service;
  readonly file: string;
  readonly operation: string;
  readonly answers: Readonly<Record<string, Answering>>;
  /** Runs the code that sends the call. @param answering returns the answer of the service */
  drive(answering: (asked: Asked) => Answer): Promise<{ given: unknown; asked: readonly Asked[] }>;
  /** The expected return value. */
  readonly gives: unknown;
  /** The members of the request that must have these values. */
  readonly asks?: Readonly<Record<string, unknown>>;
  /** The errors with a different result for this call only. */
  readonly fates?: Readonly<Record<string, Fate>>;
  /** Successful answers that are incomplete. */
  readonly partial?: readonly (readonly [says: string, answer: Answering, fate: Fate])[];
}

/** Returns the same answer to each request of an operation. Other operations get their answers from the table. */
export const answeringWith =
  (call: Pick<Call, 'answers' | 'operation'>, instead?: Answering) =>
  (asked: Asked): Answer => {
    const isIt = instead !== undefined && asked.operation === call.operation;
    const answer = isIt ? instead : call.answers[asked.operation];
    if (answer === undefined) throw new Error(`Nothing answers ${asked.operation} here`);
    return typeof answer === 'function' ? answer(asked) : answer;
  };

/** The "Common errors" of services with JSON protocols that a signed request can cause. */
export const commonErrors = {
  AccessDeniedException: 400,
  ExpiredTokenException: 400,
  InternalFailure: 500,
  ServiceUnavailable: 503,
  ThrottlingException: 400,
} as const;

/** The results of common errors and lost connections in all engines, unless a table says otherwise. */
export const commonFates = {
  AccessDeniedException: 'internal_error',
  ExpiredTokenException: 'internal_error',
  InternalFailure: 'provider_unavailable',
  ServiceUnavailable: 'provider_unavailable',
  ThrottlingException: 'provider_throttled',
  'a reset connection': 'provider_unavailable',
  'an answer that does not come in time': 'provider_unavailable',
  'a refused connection': 'provider_unavailable',
  'a region without the service': 'engine_unavailable',
} as const satisfies Record<string, Fate>;

/** The results for callers that do not change errors: temporary or permanent. */
export const ownFates = {
  AccessDeniedException: 'its own',
  ExpiredTokenException: 'its own',
  InternalFailure: 'passing',
  ServiceUnavailable: 'passing',
  ThrottlingException: 'passing',
  'a reset connection': 'passing',
  'an answer that does not come in time': 'passing',
  'a refused connection': 'passing',
  'a region without the service': 'passing',
} as const satisfies Record<string, Fate>;
