/** Errors that become the response to a request. Any code can throw these errors. The kernel writes them as problem+json. */
import type { ProblemCode } from '../contract/kit/errors.ts';
import { itemAt } from './checked-access.ts';

/** One fault of a request: its position, a stable code, and a sentence. */
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

/** Also thrown for a resource of another tenant. The text contains only what the caller sent. */
export class NotFound extends Problem {
  constructor(kind: string, id: string) {
    super('resource_not_found', `There is no ${kind} ${JSON.stringify(id)}.`);
  }
}

/** For `catch` if a record may be missing: returns null for NotFound, and rethrows other errors. */
export function noneFound(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}

export class InvalidState extends Problem {
  constructor(detail: string) {
    super('invalid_state', detail);
  }
}

/** The request is valid, but the operation is only planned. */
export class NotImplemented extends Problem {
  /** @param planned a planned operation of the contract; other operations do not compile */
  constructor({ planned }: { readonly planned: string }) {
    super('not_implemented', `${planned} is not implemented yet. The request is valid.`);
  }
}

/** Each member of the body is valid, but their combination is not. */
export class Inconsistent extends Problem {
  constructor(findings: readonly { pointer: string; code: string; detail: string }[]) {
    super('validation_failed', itemAt(findings, 0).detail, { findings: findings.slice(0, 50) });
  }
}

/** Another resource of the same kind already has this unique value. */
export class NotUnique extends Problem {
  readonly holderId: string;
  constructor(pointer: string, detail: string, holderId: string) {
    super('invalid_state', detail, { findings: [{ pointer, code: 'not_unique', detail }] });
    this.holderId = holderId;
  }
}

export class WriteConflict extends Problem {
  constructor(kind: string, id: string) {
    super('write_conflict', `Another request changed ${kind} ${id} at the same time.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

export class PreconditionFailed extends Problem {
  constructor(currentEtag: string) {
    super('precondition_failed', `The resource is now at version "${currentEtag}".`);
  }
}

/** No engine of this environment supports the language in this member of the request. */
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

/**
 * Throws unknown_reference for ids that are not known.
 * @param pointer the JSON Pointer of the list of ids
 * @param most the maximum number of findings that the problem lists
 */
export function requireKnown(
  ids: readonly string[],
  known: { has(id: string): boolean },
  { pointer, kind, most }: { readonly pointer: string; readonly kind: string; readonly most?: number },
): void {
  const missing = ids.flatMap((id, at) => (known.has(id) ? [] : [{ pointer: `${pointer}/${at}`, kind, id }]));
  if (missing.length > 0) throw new UnknownReference(missing.slice(0, most));
}
