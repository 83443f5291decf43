/** Makes cues of sound descriptions, in addition to the cues of speech. */
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import { type Cue, overlap } from './cue.ts';
import type { SubtitleLimits } from './limits.ts';
import { layLines } from './line-breaks.ts';
import type { Reading } from './phrases.ts';
import { atomsOf, cleanText } from './text.ts';
import { wholeMs } from './timestamps.ts';

/** A sound besides speech ("applause"). Milliseconds from the start of the media. */
export type SoundDescription = { start_ms: number; end_ms: number; text: string };

type SoundCueOptions = Pick<Reading, 'limits' | 'rules'> & {
  /** No cue is on screen after this time, ms. */
  mediaEnd?: number | undefined;
};

/**
 * Makes cues for sounds, in brackets. Each cue lasts 5/6 s to 7 s, but not beyond the media. Two sounds are never shown
 * at once. If speech begins after the cue was shown long enough, the cue ends before the speech. If speech begins
 * sooner, the cue is shown at the top.
 */
export function makeSoundCues(
  sounds: readonly SoundDescription[],
  speech: readonly Cue[],
  { limits, rules, mediaEnd = Number.MAX_SAFE_INTEGER }: SoundCueOptions,
): Cue[] {
  const heard = sounds
    .map(({ start_ms, end_ms, text }) => ({
      start_ms: wholeMs(start_ms),
      end_ms: wholeMs(end_ms),
      text: bracketed(text),
    }))
    .filter(({ text, start_ms }) => text !== '[]' && start_ms < mediaEnd)
    .sort((one, other) => one.start_ms - other.start_ms);

  const cues: Cue[] = [];
  let at = 0;
  let free = 0;
  for (const sound of heard) {
    const start_ms = Math.max(Math.min(sound.start_ms, mediaEnd - limits.min_ms), free);
    if (start_ms >= mediaEnd) break;
    const longEnough = Math.max(sound.end_ms, start_ms + limits.min_ms);
    const cue: Cue = {
      start_ms,
      end_ms: Math.min(longEnough, start_ms + limits.max_ms, mediaEnd),
      lines: layLines(atomsOf(sound.text), limits.line_width, rules),
      speaker: null,
    };
    while (at < speech.length && itemAt(speech, at).end_ms <= start_ms) at++;
    cues.push(besideSpeech(cue, speech[at], limits));
    free = lastOf(cues).end_ms + limits.gap_ms;
  }
  return cues;
}

function besideSpeech(sound: Cue, speech: Cue | undefined, limits: SubtitleLimits): Cue {
  if (!speech || !overlap(sound, speech)) return sound;
  const endsAt = speech.start_ms - limits.gap_ms;
  const wasSeen = endsAt - sound.start_ms >= limits.min_ms;
  return wasSeen ? { ...sound, end_ms: endsAt } : { ...sound, position: 'top' };
}

function bracketed(text: string): string {
  const inner = cleanText(text).replace(/^[[(]+|[\])]+$/g, '');
  return `[${inner.trim()}]`;
}
