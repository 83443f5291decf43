/** Into which languages an engine translates from another, and what is said of those that it does not reach. */
import type { EngineDeclaration } from '../../../engines/engine.ts';
import { primarySubtag } from '../../../engines/engine.ts';
import type { Choice } from '../../../engines/selection.ts';
import { reachableFrom, reaches } from '../../../engines/translation/language-routes.ts';
import type { Language } from '../../../shared/languages.ts';

/** So many languages are named in a sentence. */
const NAMED = 12;

/** Why nothing is translated from one language into the other here; null where it is. */
export function whyUnreachable(
  choice: Choice<EngineDeclaration>,
  source: Language,
  target: Language,
): string | null {
  if (isSame(source, target)) {
    return `The asset is spoken in ${source.name}: there is nothing to translate into ${target.name}.`;
  }
  if (choice.status === 'unavailable') return choice.reason;
  const { engine } = choice;
  if (reaches(engine, source.code, target.code)) return null;
  const reached = reachableFrom(engine, source.code);
  const others =
    reached.length === 0
      ? `It translates nothing from ${source.name}.`
      : `From there it reaches: ${reached.slice(0, NAMED).join(', ')}${reached.length > NAMED ? ' and others' : ''}.`;
  const refusal = `The engine in use (${engine.name}) does not translate from ${source.name} into ${target.name}.`;
  return [refusal, others, engine.moreLanguages ?? ''].join(' ').trim();
}

/** Regions and scripts are accents. */
export const isSame = (one: Language, other: Language): boolean =>
  primarySubtag(one.code) === primarySubtag(other.code);
