import { MOST_LANGUAGES } from '../../../contract/kit/job-kinds.ts';
import { isUuid } from '../../../shared/ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { Problem } from '../../../shared/problems.ts';

/** Comma-separated ids, without duplicates. Throws invalid_parameter if there are none or more than `limit`. */
export function idsIn(parameter: string, list: string | undefined, job: string, limit: number): string[] {
  const ids = [...new Set((list ?? '').split(',').map((id) => id.trim().toLowerCase()))].filter(Boolean);
  if (ids.length === 0) throw wrong(parameter, 'required', `A quote of ${job} needs ${parameter}.`);
  if (ids.length > limit) throw wrong(parameter, 'too_many', `One job takes ${limit} ${parameter} at most.`);
  const strange = ids.find((id) => !isUuid(id));
  if (strange === undefined) return ids;
  throw wrong(parameter, 'wrong_format', `${JSON.stringify(strange.slice(0, 50))} is no id.`);
}

/** Throws invalid_parameter if an id is not in `GET /v1/languages`. */
export function languagesIn(list: string | undefined, job: string): string[] {
  const ids = idsIn('languages', list, job, MOST_LANGUAGES);
  const strange = ids.find((id) => languageById(id) === undefined);
  if (strange === undefined) return ids;
  const detail = `There is no language ${JSON.stringify(strange)}: see \`GET /v1/languages\`.`;
  throw wrong('languages', 'unknown', detail);
}

/** The duration, ms. Throws invalid_parameter if neither the query nor the asset states it. */
export function durationIn(given: number | undefined, known: number | null): number {
  const duration_ms = given ?? known;
  if (duration_ms !== null) return duration_ms;
  throw wrong(
    'duration_ms',
    'required',
    'The duration of the media is not known yet. Give it in duration_ms.',
  );
}

/** Turns problems of body members into problems of the query parameter that replaces them. Rethrows all others. */
export function ofParameter(parameter: string): (error: unknown) => never {
  return (error) => {
    const isOfBody = error instanceof Problem && ofBodies.has(error.code);
    throw isOfBody ? wrong(parameter, error.code, error.detail) : error;
  };
}

const ofBodies: ReadonlySet<string> = new Set(['unknown_reference', 'language_unsupported']);

export const wrong = (parameter: string, code: string, detail: string) =>
  new Problem('invalid_parameter', detail, { findings: [{ parameter, code, detail }] });
