/** The query parameters that each kind of job needs. */
import { MOST_LANGUAGES } from '../../../contract/kit/job-kinds.ts';
import { isUuid } from '../../../shared/ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { Problem } from '../../../shared/problems.ts';

/**
 * Ids separated by commas, without repetitions. Throws invalid_parameter if the list is empty, or has more ids than a
 * job takes.
 */
export function idsIn(parameter: string, list: string | undefined, job: string, most: number): string[] {
  const ids = [...new Set((list ?? '').split(',').map((id) => id.trim().toLowerCase()))].filter(Boolean);
  if (ids.length === 0) throw wrong(parameter, 'required', `A quote of ${job} needs ${parameter}.`);
  if (ids.length > most) throw wrong(parameter, 'too_many', `One job takes ${most} ${parameter} at most.`);
  const unknown = ids.find((id) => !isUuid(id));
  if (unknown === undefined) return ids;
  throw wrong(parameter, 'wrong_format', `${JSON.stringify(unknown.slice(0, 50))} is no id.`);
}

/** Throws invalid_parameter if a language is not in `GET /v1/languages`. */
export function languagesIn(list: string | undefined, job: string): string[] {
  const ids = idsIn('languages', list, job, MOST_LANGUAGES);
  const unknown = ids.find((id) => languageById(id) === undefined);
  if (unknown === undefined) return ids;
  const detail = `Unknown language ${JSON.stringify(unknown)}. See \`GET /v1/languages\`.`;
  throw wrong('languages', 'unknown', detail);
}

/** Milliseconds. Throws invalid_parameter if the request has no duration of the media. */
export function durationIn(given: number | undefined, known: number | null): number {
  const duration_ms = given ?? known;
  if (duration_ms !== null) return duration_ms;
  throw wrong(
    'duration_ms',
    'required',
    'The duration of the media is not known yet. Send it as duration_ms.',
  );
}

/** Rethrows an error about members of a body as an error of the parameter that has their place here. Other errors stay as they are. */
export function ofParameter(parameter: string): (error: unknown) => never {
  return (error) => {
    const isOfBody = error instanceof Problem && ofBodies.has(error.code);
    throw isOfBody ? wrong(parameter, error.code, error.detail) : error;
  };
}

const ofBodies: ReadonlySet<string> = new Set(['unknown_reference', 'language_unsupported']);

export const wrong = (parameter: string, code: string, detail: string) =>
  new Problem('invalid_parameter', detail, { findings: [{ parameter, code, detail }] });
