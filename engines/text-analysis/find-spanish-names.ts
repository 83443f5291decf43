/** Finds names in Spanish texts: runs of capitalized words. The words in and before a run decide the type of the name. */
import { commonWords } from './common-words.ts';
import type { Named } from './find-english-names.ts';
import type { EntityType } from './port.ts';
import { organizationWords, personNames, places } from './spanish-name-lists.ts';

const NAME =
  /\p{Lu}[\p{L}\p{M}\p{N}'’-]*(?:\s+(?:(?:de|del|de la|de las|de los|y|e)\s+)?\p{Lu}[\p{L}\p{M}\p{N}'’-]*)*/gu;
const MONTHS = 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';
const DATE = new RegExp(
  `\\b\\d{1,2} de (?:${MONTHS})(?: de(?:l)? \\d{4})?\\b|\\b(?:${MONTHS}) de(?:l)? \\d{4}\\b|\\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?: \\d{1,2} de (?:${MONTHS}))?\\b`,
  'giu',
);

export function spanishNames(passages: readonly string[]): Named[] {
  const texts = passages.map((passage) => passage.normalize('NFC'));
  const within = new Set(
    texts.flatMap((text) => runsIn(text).filter(({ isFirst }) => !isFirst)).map(({ text }) => text),
  );
  return texts.flatMap((text) => [
    ...runsIn(text)
      .filter((run) => !run.isFirst || within.has(run.text) || typeOf(run) !== 'other')
      .flatMap(splitAtAnd)
      .map((run) => ({ text: run.text, type: typeOf(run) })),
    ...[...text.matchAll(DATE)].map(([found]) => ({ text: found, type: 'date' as const })),
  ]);
}

interface Run {
  readonly text: string;
  /** Whether the run is at the start of a sentence, where the first word is always capitalized. */
  readonly isFirst: boolean;
  readonly before: string;
}

function runsIn(text: string): Run[] {
  return [...text.matchAll(NAME)].flatMap(({ 0: found, index }) => {
    const ahead = text.slice(0, index).trimEnd();
    const isFirst = ahead === '' || /[.!?¡¿…:"“«—-]$/.test(ahead);
    const before = /([\p{L}]+)$/u.exec(ahead)?.[1]?.toLowerCase() ?? '';
    const run = withoutCommon(found, isFirst);
    return run === '' ? [] : [{ text: run, isFirst: isFirst && found.startsWith(run), before }];
  });
}

/** Removes common words at the start of a sentence: "El Gobierno de España" becomes "Gobierno de España". */
function withoutCommon(found: string, isFirst: boolean): string {
  if (!isFirst) return commonWords('es').has(found.toLowerCase()) ? '' : found;
  const words = found.split(/\s+/);
  const first = words.findIndex((word) => !commonWords('es').has(word.toLowerCase()));
  return first < 0 ? '' : words.slice(first).join(' ');
}

/** Splits "España y Portugal" into two names. "Castilla y León" is one name, because it is in the list of places. */
function splitAtAnd(run: Run): Run[] {
  if (!/\s(?:y|e)\s/.test(run.text) || places.has(run.text.toLowerCase())) return [run];
  if (organizationWords.has(run.text.split(' ', 1).join('').toLowerCase())) return [run];
  return run.text.split(/\s(?:y|e)\s/).map((text) => ({ ...run, text }));
}

const TITLES =
  /^(?:don|doña|señor|señora|doctor|doctora|profesor|profesora|presidente|presidenta|ministro|ministra|rey|reina|alcalde|alcaldesa|director|directora|capitán|papa)$/;

function typeOf({ text, before }: Run): EntityType {
  const lower = text.toLowerCase();
  const words = lower.split(/\s+/);
  if (places.has(lower)) return 'location';
  if (words.some((word) => organizationWords.has(word)) || /^\p{Lu}{2,6}$/u.test(text)) return 'organization';
  if (TITLES.test(before) || personNames.has(words[0] ?? '')) return 'person';
  return 'other';
}
