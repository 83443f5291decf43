/** Chooses a different voice for each speaker. The pitch of a speaker suggests the gender of the voice. */
import type { Voice } from '../../../engines/speech/port.ts';

export interface HeardSpeaker {
  /** The speaker's id or label. Null for speech without a known speaker. */
  readonly speaker: string | null;
  /** The median fundamental frequency of the voice, hertz. Null if unknown. */
  readonly pitch_hz: number | null;
}

/** Between men (85 to 155 Hz) and women (165 to 255 Hz): Titze, Principles of Voice Production (1994). */
const BETWEEN_GENDERS_HZ = 160;

/**
 * Chooses a voice for each speaker, in the given order. A speaker who is added at the end does not change the voices of
 * earlier speakers. If all voices of a gender are in use, the voice with the fewest speakers is used again.
 * @param voices preferred voices first, at least one
 */
export function voicesFor(
  speakers: readonly HeardSpeaker[],
  voices: readonly Voice[],
): Map<string | null, Voice> {
  const given = new Map<string | null, Voice>();
  const taken = new Map<string, number>();
  const first = voices[0];
  if (first === undefined) throw new Error('No voice is available');
  for (const { speaker, pitch_hz } of speakers) {
    if (given.has(speaker)) continue;
    const candidates = ofGender(voices, genderOf(pitch_hz));
    const fewest = Math.min(...candidates.map(({ id }) => taken.get(id) ?? 0));
    const free = candidates.filter(({ id }) => (taken.get(id) ?? 0) === fewest);
    const voice = nearest(free, pitch_hz);
    taken.set(voice.id, fewest + 1);
    given.set(speaker, voice);
  }
  return given;
}

const genderOf = (pitch_hz: number | null): Voice['gender'] | null => {
  if (pitch_hz === null) return null;
  return pitch_hz < BETWEEN_GENDERS_HZ ? 'male' : 'female';
};

function ofGender(voices: readonly Voice[], gender: Voice['gender'] | null): readonly Voice[] {
  const fitting = voices.filter((voice) => voice.gender === gender);
  return fitting.length > 0 ? fitting : voices;
}

/** The voice with the nearest pitch, on a logarithmic scale like hearing. If several fit equally, the preferred one. */
function nearest(voices: readonly Voice[], pitch_hz: number | null): Voice {
  const distance = (voice: Voice) => (pitch_hz === null ? 0 : Math.abs(Math.log(voice.pitch_hz / pitch_hz)));
  return voices.reduce((best, voice) => (distance(voice) < distance(best) ? voice : best));
}
