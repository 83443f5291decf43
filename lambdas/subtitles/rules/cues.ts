/** Makes cues of segments: what stands on which line, and when, by the field's limits. */

import type { Segment } from '../../../platform/shared/segments.ts';
import type { Cue } from './cue.ts';
import { rulesOf } from './language.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from './limits.ts';
import { layLines, widthOf } from './lines.ts';
import { joinHasty, type Phrase, phrasesOf } from './phrases.ts';
import { type SoundDescription, soundCues } from './sounds.ts';
import { wholeMs } from './timestamps.ts';

export type CueOptions = {
  /** Shown in brackets, at the top of the picture while someone speaks. */
  soundDescriptions?: readonly SoundDescription[];
  /** BCP 47 tag of the segments' language, for its line breaks. */
  language?: string;
  /** No cue is drawn out beyond the end of the media, where that is known. */
  mediaDurationMs?: number;
  limits?: SubtitleLimits;
};

/**
 * Cues in the order they appear. At the bottom none overlap and 80 ms lie between any two; a cue stays on
 * screen as long as it takes to read, as far as the silence after it (and a little before it) allows, at
 * least 5/6 s where the next speech leaves that much, never over 7 s. Speech that starts faster than cues
 * can follow is shown late rather than dropped.
 */
export function cuesFromSegments(segments: readonly Segment[], options: CueOptions = {}): Cue[] {
  const limits = options.limits ?? BROADCAST_LIMITS;
  const rules = rulesOf(options.language);
  const phrases = segments
    .flatMap((segment) => phrasesOf(segment, limits, rules))
    .sort((one, other) => one.start_ms - other.start_ms || one.end_ms - other.end_ms);

  const mediaEnd = options.mediaDurationMs ?? Number.MAX_SAFE_INTEGER;
  const timed = showWhen(joinHasty(phrases, limits), limits, mediaEnd);
  const speech = timed.map(({ atoms, start_ms, end_ms, speaker }): Cue => {
    return { start_ms, end_ms, lines: layLines(atoms, limits.line_width, rules), speaker };
  });
  const sounds = soundCues(options.soundDescriptions ?? [], speech, limits, rules);
  return [...speech, ...sounds].sort((one, other) => one.start_ms - other.start_ms);
}

/** The phrases with the times they are on screen instead of the times they are spoken. */
function showWhen(phrases: readonly Phrase[], limits: SubtitleLimits, mediaEnd: number): Phrase[] {
  let free = 0;
  return phrases.map((phrase, i) => {
    const next = phrases[i + 1];
    const spokenFrom = Math.max(wholeMs(phrase.start_ms), free);
    const latest = next ? Math.max(next.start_ms, phrase.start_ms) - limits.gap_ms : mediaEnd;
    const readable = Math.max(
      limits.min_ms,
      Math.ceil((widthOf(phrase.atoms) * 1000) / limits.columns_per_second),
    );
    const wanted = Math.max(phrase.end_ms, spokenFrom + readable);
    const wouldFlicker = next !== undefined && latest - wanted <= limits.flicker_ms - limits.gap_ms;
    const shownUntil = Math.min(wouldFlicker ? latest : wanted, latest, spokenFrom + limits.max_ms);

    const shortage = readable - (shownUntil - spokenFrom);
    const lead = Math.min(Math.max(shortage, 0), limits.lead_ms, spokenFrom - free);
    const start_ms = spokenFrom - lead;
    const end_ms = Math.max(shownUntil, start_ms + limits.floor_ms);
    free = end_ms + limits.gap_ms;
    return { ...phrase, start_ms, end_ms };
  });
}
