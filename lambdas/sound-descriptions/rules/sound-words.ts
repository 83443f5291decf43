/** What subtitles call the sounds that are heard beside speech, in the languages that we have words for. */
import type { SoundEvent } from '../../../shared/sound.ts';

/** Kinds that viewers are told of. That something else was noise says nothing to them. */
export const describedKinds = ['music', 'applause', 'silence'] as const;

export type DescribedKind = (typeof describedKinds)[number];

/** In the order of `describedKinds`, by primary subtag. */
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

/** @param language BCP 47 tag; English where there are no words for it */
export function soundWord(kind: DescribedKind, language = 'en'): string {
  const known = words[language.split('-', 1)[0]!.toLowerCase()] ?? words.en!;
  return known[describedKinds.indexOf(kind)]!;
}

/** Shorter than this, milliseconds, a sound is not worth a description: a pause is no silence, a jingle's last note no music. */
const SHORTEST_MS: Readonly<Record<DescribedKind, number>> = { music: 2500, applause: 1500, silence: 10_000 };

/** Of which of the sounds viewers are told. */
export const worthDescribing = (
  events: readonly SoundEvent[],
): (SoundEvent & { readonly kind: DescribedKind })[] =>
  events.filter((event): event is SoundEvent & { kind: DescribedKind } => {
    const isDescribed = (describedKinds as readonly string[]).includes(event.kind);
    return isDescribed && event.end_ms - event.start_ms >= SHORTEST_MS[event.kind as DescribedKind];
  });
