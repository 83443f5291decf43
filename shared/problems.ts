/** Errors that answer a request. Thrown anywhere, rendered as problem+json in one place (the kernel). */
import type { ProblemCode } from '../contract/kit/errors.ts';

/** One thing that is wrong with a request: where, a stable code, and a sentence. */
export type Finding =
  | { readonly pointer: string; readonly code: string; readonly detail: string }
  | { readonly parameter: string; readonly code: string; readonly detail: string };

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly findings: readonly Finding[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { findings?: readonly Finding[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.findings = options.findings ?? [];
    this.headers = options.headers ?? {};
  }
}

/** Nothing has that id; another tenant's resource answers the same: the text names nothing but what the caller sent. */
export class NotFound extends Problem {
  constructor(kind: string, id: string) {
    super('resource_not_found', `There is no ${kind} ${JSON.stringify(id)}.`);
  }
}

/** Null in place of NotFound: given to `catch` where what is looked for need not be there. */
export function noneFound(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}

export class InvalidState extends Problem {
  constructor(detail: string) {
    super('invalid_state', detail);
  }
}

/** The request was checked through and found sound, but the engine that would serve it is not there yet. */
export class NotImplemented extends Problem {
  /** @param operation of the contract; one that is planned no more does not compile here */
  constructor({ planned }: { readonly planned: string }) {
    super('not_implemented', `${planned} is not implemented yet. The request itself is sound.`);
  }
}

/** Members of a body that each are valid, but not with one another. */
export class Inconsistent extends Problem {
  constructor(findings: readonly { pointer: string; code: string; detail: string }[]) {
    super('validation_failed', findings[0]!.detail, { findings: findings.slice(0, 50) });
  }
}

/** Another has the value that only one of its kind may have. */
export class NotUnique extends Problem {
  readonly holderId: string;
  constructor(pointer: string, detail: string, holderId: string) {
    super('invalid_state', detail, { findings: [{ pointer, code: 'not_unique', detail }] });
    this.holderId = holderId;
  }
}

export class WriteConflict extends Problem {
  constructor(kind: string, id: string) {
    super('write_conflict', `Others changed ${kind} ${id} at the same time.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

export class PreconditionFailed extends Problem {
  constructor(currentEtag: string) {
    super('precondition_failed', `The resource is now at version "${currentEtag}".`);
  }
}

/** No engine of this environment understands the language that a member names. */
export class UnsupportedLanguage extends Problem {
  constructor(pointer: string, detail: string) {
    super('language_unsupported', detail, { findings: [{ pointer, code: 'language_unsupported', detail }] });
  }
}

export class UnknownReference extends Problem {
  constructor(findings: readonly { pointer: string; kind: string; id: string }[]) {
    super('unknown_reference', 'The request refers to something that does not exist.', {
      findings: findings.map(({ pointer, kind, id }) => ({
        pointer,
        code: 'unknown_reference',
        detail: `There is no ${kind} ${id}.`,
      })),
    });
  }
}
