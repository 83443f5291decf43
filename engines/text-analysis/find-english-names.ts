/** Finds names in English texts with the package compromise, which contains rules and word lists. */
import type nlp from 'compromise';
import type { EntityType } from './port.ts';

type Compromise = typeof nlp;

export interface Named {
  readonly text: string;
  readonly type: EntityType;
}

export function englishNames(passages: readonly string[], compromise: Compromise): Named[] {
  const texts = passages.map((passage) => passage.normalize('NFC'));
  const hasCase = texts.some((text) => /\p{Ll}[,;]? \p{Lu}\p{Ll}/u.test(text));
  return texts.flatMap((text) => {
    const doc = compromise(text);
    const views = [
      ['person', doc.people()],
      ['organization', doc.organizations()],
      ['location', doc.places()],
      ['date', doc.match('(#Month|#WeekDay|#Holiday|#Year)+ #Date*')],
    ] as const;
    return views.flatMap(([type, view]) =>
      (view.out('array') as string[])
        .map((found) => ({ text: trimName(found), type }))
        .filter((one) => isName(one, hasCase))
        .map((one) => (hasCase || one.type === 'date' ? one : { ...one, text: capitalize(one.text) })),
    );
  });
}

/**
 * Returns false for pronouns and lower-case words that the package takes for names. Some speech recognizers write no capital
 * letters: in such texts, places and persons with two names are accepted.
 */
function isName({ text, type }: Named, hasCase: boolean): boolean {
  if (text.length < 2 || /^(?:I|He|She|We|They|You|It)$/i.test(text)) return false;
  if (type === 'date') return true;
  if (hasCase) return /\p{Lu}/u.test(text);
  return type === 'location' || (type === 'person' && text.includes(' '));
}

const capitalize = (text: string): string =>
  text.replace(/(?<![\p{L}'’])\p{Ll}/gu, (letter) => letter.toUpperCase());

const trimName = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}]+|(?:['’]s)?[^\p{L}\p{N}.]*$/gu, '').replace(/[.,]+$/, '');
