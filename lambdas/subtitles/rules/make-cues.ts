/** Makes cues from segments, within the professional limits for line length and reading speed. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { Cue } from './cue.ts';
import { duetsOf } from './dialogues.ts';
import { findLanguageRules } from './language-rules.ts';
import { BROADCAST_LIMITS, type Span, type SubtitleLimits } from './limits.ts';
import { layLines, widthOf } from './line-breaks.ts';
import { joinHurriedPhrases, type Phrase, phraseOfDuet, phrasesOf } from './phrases.ts';
import { makeSoundCues, type SoundDescription } from './sound-cues.ts';
import { timeCues } from './time-cues.ts';

export type CueOptions = {
  /** Sounds, which are shown in brackets. While someone speaks, they are at the top of the picture. */
  soundDescriptions?: readonly SoundDescription[];
  /** BCP 47 tag of the segments' language. It decides where lines break. */
  language?: string | undefined;
  /** No cue is on screen after this time, ms. */
  mediaDurationMs?: number | undefined;
  limits?: SubtitleLimits;
};

/**
 * The cues of segments, in the order of their starts.
 *
 * A cue shows one segment. Two segments that are spoken at the same time share a cue, with one line each. A cue does
 * not cross the end of a sentence, with two exceptions: the text was written that way, or the segment's set times are
 * too short for two cues.
 *
 * Cues at the bottom do not overlap. The gap between two cues is 80 ms. A cue stays on screen for 5/6 s to 7 s, at 20
 * columns a second or fewer. It exceeds that speed only if the speech is faster and its neighbors leave no more time.
 *
 * Speech that is too fast for cues is shown late, but never dropped. A segment with set times is shown from its start
 * to its end. Set times below 5/6 s make cues and gaps shorter.
 */
export function cuesFromSegments(segments: readonly Segment[], options: CueOptions = {}): Cue[] {
  const limits = options.limits ?? BROADCAST_LIMITS;
  const rules = findLanguageRules(options.language);
  const speech = shownPhrases(segments, options)
    .map(({ atoms, shown, speaker, voices }): Cue => {
      const lines = layLines(atoms, limits.line_width, rules);
      return { ...shown, lines, speaker, ...(voices && { voices }) };
    })
    .sort((one, other) => one.start_ms - other.start_ms);
  const { soundDescriptions = [], mediaDurationMs: mediaEnd } = options;
  const sounds = makeSoundCues(soundDescriptions, speech, { limits, rules, mediaEnd });
  return [...speech, ...sounds].sort((one, other) => one.start_ms - other.start_ms);
}

export type ShownPhrase = Phrase & { shown: Span };

/** The cues of speech before line breaks. Each has its segments, the times of its speech, and its times on screen. */
export function shownPhrases(segments: readonly Segment[], options: CueOptions = {}): ShownPhrase[] {
  const limits = options.limits ?? BROADCAST_LIMITS;
  const cased = segments.some(({ text }) => /\p{Lu}/u.test(text));
  const reading = { limits, rules: findLanguageRules(options.language), cased };
  const duets = duetsOf(segments, limits);
  const inDuets = new Set(duets.flatMap(({ places }) => places));
  const phrases = segments
    .flatMap((segment, place) => (inDuets.has(place) ? [] : phrasesOf(segment, place, reading)))
    .concat(duets.map((duet) => phraseOfDuet(duet, segments)))
    .sort((one, other) => one.start_ms - other.start_ms || one.end_ms - other.end_ms);
  const joined = joinHurriedPhrases(phrases, reading);
  const spoken = joined.map(({ atoms, start_ms, end_ms, held }) => {
    return { start_ms, end_ms, columns: widthOf(atoms), held };
  });
  const times = timeCues(spoken, limits, options.mediaDurationMs);
  return joined.map((phrase, i) => ({ ...phrase, shown: itemAt(times, i) }));
}
