/** Makes cues of segments: what stands on which line, and when, by the field's limits. */

import type { Segment } from '../../../shared/segments.ts';
import type { Cue } from './cue.ts';
import { duetsOf } from './dialogues.ts';
import { rulesOf } from './language-rules.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from './limits.ts';
import { layLines, widthOf } from './line-breaks.ts';
import { joinHasty, type Phrase, phraseOfDuet, phrasesOf } from './phrases.ts';
import type { Span } from './reading-time.ts';
import { type SoundDescription, soundCues } from './sound-cues.ts';
import { showWhen } from './time-cues.ts';

export type CueOptions = {
  /** Shown in brackets, at the top of the picture while someone speaks. */
  soundDescriptions?: readonly SoundDescription[];
  /** BCP 47 tag of the segments' language, for its line breaks. */
  language?: string;
  /** Where the end of the media is known, no cue is on screen beyond it. */
  mediaDurationMs?: number;
  limits?: SubtitleLimits;
};

/**
 * Cues in the order they appear. None shows two segments, but two that are said at the same time, a line each; or words on
 * both sides of a sentence's end but where somebody wrote them so, or set their times so that one cue holds them. At the bottom none overlap and 80 ms lie between any two; a cue stays on screen from
 * 5/6 s to 7 s, at no more than 20 columns a second unless the speech is faster and silence and neighbours leave
 * no more time. Speech that is faster than cues can follow is shown late rather than dropped. A segment whose
 * times were set is shown within them, from its start to its end; where set times leave less than 5/6 s, cues
 * and the gaps between them are shorter.
 */
export function cuesFromSegments(segments: readonly Segment[], options: CueOptions = {}): Cue[] {
  const limits = options.limits ?? BROADCAST_LIMITS;
  const rules = rulesOf(options.language);
  const speech = shownPhrases(segments, options)
    .map(({ atoms, shown, speaker, voices }): Cue => {
      const lines = layLines(atoms, limits.line_width, rules);
      return { ...shown, lines, speaker, ...(voices && { voices }) };
    })
    .sort((one, other) => one.start_ms - other.start_ms);
  const sounds = soundCues(options.soundDescriptions ?? [], speech, limits, rules, options.mediaDurationMs);
  return [...speech, ...sounds].sort((one, other) => one.start_ms - other.start_ms);
}

/** A phrase with its times of speech, and when it is on screen. */
export type ShownPhrase = Phrase & { shown: Span };

/** What the cues of speech are made of: which segment each shows, when it is spoken, and when shown. */
export function shownPhrases(segments: readonly Segment[], options: CueOptions = {}): ShownPhrase[] {
  const limits = options.limits ?? BROADCAST_LIMITS;
  const cased = segments.some(({ text }) => /\p{Lu}/u.test(text));
  const reading = { rules: rulesOf(options.language), cased };
  const duets = duetsOf(segments, limits);
  const inDuets = new Set(duets.flatMap(({ places }) => places));
  const phrases = segments
    .flatMap((segment, place) => (inDuets.has(place) ? [] : phrasesOf(segment, place, limits, reading)))
    .concat(duets.map((duet) => phraseOfDuet(duet, segments)))
    .sort((one, other) => one.start_ms - other.start_ms || one.end_ms - other.end_ms);
  const joined = joinHasty(phrases, limits, reading);
  const spoken = joined.map(({ atoms, start_ms, end_ms, held }) => {
    return { start_ms, end_ms, columns: widthOf(atoms), held };
  });
  const times = showWhen(spoken, limits, options.mediaDurationMs);
  return joined.map((phrase, i) => ({ ...phrase, shown: times[i]! }));
}
