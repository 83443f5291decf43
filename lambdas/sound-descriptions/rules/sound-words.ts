/** The words for sounds in subtitles, and which sounds are described. */
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { SoundEvent } from '../../../shared/sound.ts';

/** The kinds of sounds that are described. Other noises are ignored: viewers do not need them. */
export const describedKinds = ['music', 'applause', 'silence'] as const;

export type DescribedKind = (typeof describedKinds)[number];

/** The words in the order of `describedKinds`, by primary language subtag. */
const words: Readonly<Record<string, readonly [music: string, applause: string, silence: string]>> = {
  ca: ['música', 'aplaudiments', 'silenci'],
  de: ['Musik', 'Applaus', 'Stille'],
  en: ['music', 'applause', 'silence'],
  es: ['música', 'aplausos', 'silencio'],
  fr: ['musique', 'applaudissements', 'silence'],
  it: ['musica', 'applausi', 'silenzio'],
  nl: ['muziek', 'applaus', 'stilte'],
  pt: ['música', 'aplausos', 'silêncio'],
};

/** The word for a kind of sound. English if the language is not in the table. @param language BCP 47 tag */
export function soundWord(kind: DescribedKind, language = 'en'): string {
  const known = words[itemAt(language.split('-', 1), 0).toLowerCase()] ?? defined(words.en);
  return itemAt(known, describedKinds.indexOf(kind));
}

/** The shortest sound that is described, ms. A short pause is not silence, and the last note of a jingle is not music. */
const SHORTEST_MS: Readonly<Record<DescribedKind, number>> = { music: 2500, applause: 1500, silence: 10_000 };

export const selectDescribedSounds = (
  events: readonly SoundEvent[],
): (SoundEvent & { readonly kind: DescribedKind })[] =>
  events.filter((event): event is SoundEvent & { kind: DescribedKind } => {
    const isDescribed = (describedKinds as readonly string[]).includes(event.kind);
    return isDescribed && event.end_ms - event.start_ms >= SHORTEST_MS[event.kind as DescribedKind];
  });
