/** What the tables of the calls of AWS say: which there are, how each is driven, and what becomes of each of its failures. */
import type { JobErrorCode, StepFailure } from '../../../contract/kit/errors.ts';
import type { Answer, Asked, Form, Sdk } from './wire.ts';

/**
 * A JobError of that code, or under that name; what the method gives nevertheless; or an error of the service's or of our own, which a step fails
 * with under its name, or under one of ours: the API answers one that passes with 503, and others with 500.
 */
export type Fate =
  | JobErrorCode
  | StepFailure
  | { readonly gives: unknown }
  | { readonly named: string }
  | 'passing'
  | 'its own';

export interface Service {
  /** As `@aws-sdk/client-…` has it. */
  readonly name: string;
  readonly sdk: Sdk;
  readonly form: Form;
  /** Errors that no operation lists: "Common errors" of the API reference and pages on quotas, with their status. */
  readonly common: Readonly<Record<string, number>>;
  /** Of errors that mean the same for all its operations here, the common ones and those of the connection included. */
  readonly fates: Readonly<Record<string, Fate>>;
}

export type Answering = Answer | ((asked: Asked) => Answer);

export interface Call {
  readonly service: Service;
  /** Which of our files sends it. */
  readonly file: string;
  readonly operation: string;
  /** What the service answers to this and to what is asked beside it, where all is well. */
  readonly answers: Readonly<Record<string, Answering>>;
  /** Has our code send it. @param answering what the service answers */
  drive(answering: (asked: Asked) => Answer): Promise<{ given: unknown; asked: readonly Asked[] }>;
  /** What comes of it then. */
  readonly gives: unknown;
  /** Members of the request that decide what is done. */
  readonly asks?: Readonly<Record<string, unknown>>;
  /** Of the errors that it alone takes otherwise. */
  readonly fates?: Readonly<Record<string, Fate>>;
  /** Answers that are no errors, and do not say that all was done. */
  readonly partial?: readonly (readonly [says: string, answer: Answering, fate: Fate])[];
}

/** The same answer to each request of an operation, others as in the table. */
export const answeringWith =
  (call: Pick<Call, 'answers' | 'operation'>, instead?: Answering) =>
  (asked: Asked): Answer => {
    const isIt = instead !== undefined && asked.operation === call.operation;
    const answer = isIt ? instead : call.answers[asked.operation];
    if (answer === undefined) throw new Error(`Nothing answers ${asked.operation} here`);
    return typeof answer === 'function' ? answer(asked) : answer;
  };

/** "Common errors" of the API references of services that speak JSON, as far as a signed request can meet them. */
export const commonErrors = {
  AccessDeniedException: 400,
  ExpiredTokenException: 400,
  InternalFailure: 500,
  ServiceUnavailable: 503,
  ThrottlingException: 400,
} as const;

/** What those and connections come to in all engines, where nothing else is said. */
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

/** The same where errors leave as they are: what passes, and what does not. */
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
