/** The language pairs that an engine translates, and the messages for unsupported pairs. */
import type { EngineDeclaration } from '../../../engines/engine.ts';
import { primarySubtag } from '../../../engines/engine.ts';
import type { Choice } from '../../../engines/selection.ts';
import { reachableFrom, reaches } from '../../../engines/translation/language-routes.ts';
import { internalError } from '../../../shared/job-errors.ts';
import { type Language, languageById } from '../../../shared/languages.ts';

const NAMED = 12;

/** The reason why the engine does not translate between two languages. Null if it does. */
export function whyUnreachable(
  choice: Choice<EngineDeclaration>,
  source: Language,
  target: Language,
): string | null {
  if (isSame(source, target)) {
    return `The asset is in ${source.name} already. It cannot be translated into ${target.name}.`;
  }
  if (choice.status === 'unavailable') return choice.reason;
  const { engine } = choice;
  if (reaches(engine, source.code, target.code)) return null;
  const reached = reachableFrom(engine, source.code);
  const others =
    reached.length === 0
      ? `It translates from ${source.name} into no language.`
      : `From ${source.name} it translates into: ${reached.slice(0, NAMED).join(', ')}${reached.length > NAMED ? ' and others' : ''}.`;
  const refusal = `The engine in use (${engine.name}) does not translate from ${source.name} into ${target.name}.`;
  return [refusal, others, engine.moreLanguages ?? ''].join(' ').trim();
}

/** The language of a job. The request has checked that it exists. */
export function languageOf(id: string): Language {
  const language = languageById(id);
  if (language === undefined) throw internalError(`There is no language ${id}.`);
  return language;
}

/** True for equal primary subtags: regions and scripts do not matter. */
export const isSame = (one: Language, other: Language): boolean =>
  primarySubtag(one.code) === primarySubtag(other.code);
