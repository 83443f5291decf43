/** Which voice speaks for whom: one for each speaker, of their gender as far as their pitch tells, and apart from the others. */
import type { Voice } from '../../../engines/speech/port.ts';

export interface HeardSpeaker {
  /** Null for what nobody in particular says. */
  readonly speaker: string | null;
  /** The median of the fundamental frequency of their voice, hertz; null where nobody knows. */
  readonly pitch_hz: number | null;
}

export interface GivenVoice {
  /** The id of the voice. */
  readonly voice: string;
  readonly gender: Voice['gender'];
}

/**
 * Between the ranges of men (85 to 155 Hz) and women (165 to 255 Hz) that Titze, Principles of Voice Production (1994),
 * gives for speech.
 */
const BETWEEN_GENDERS_HZ = 160;

/**
 * A voice for each speaker. They choose in their order, so that a speaker who is added at the end changes no other's
 * voice. Once all voices of a gender are taken, those that speak for the fewest are taken again.
 * @param voices the preferred ones first; at least one
 */
export function voicesFor(
  speakers: readonly HeardSpeaker[],
  voices: readonly Voice[],
): Map<string | null, GivenVoice> {
  const given = new Map<string | null, GivenVoice>();
  const taken = new Map<string, number>();
  const first = voices[0];
  if (first === undefined) throw new Error('There is no voice to choose from');
  for (const { speaker, pitch_hz } of speakers) {
    if (given.has(speaker)) continue;
    const candidates = ofGender(voices, genderOf(pitch_hz));
    const fewest = Math.min(...candidates.map(({ id }) => taken.get(id) ?? 0));
    const free = candidates.filter(({ id }) => (taken.get(id) ?? 0) === fewest);
    const { id, gender } = nearest(free, pitch_hz);
    taken.set(id, fewest + 1);
    given.set(speaker, { voice: id, gender });
  }
  return given;
}

const genderOf = (pitch_hz: number | null): Voice['gender'] | null => {
  if (pitch_hz === null) return null;
  return pitch_hz < BETWEEN_GENDERS_HZ ? 'male' : 'female';
};

/** All of them where the gender is unknown, or no voice has it. */
function ofGender(voices: readonly Voice[], gender: Voice['gender'] | null): readonly Voice[] {
  const fitting = voices.filter((voice) => voice.gender === gender);
  return fitting.length > 0 ? fitting : voices;
}

/** The preferred one where no pitch is known, or several are as near: pitch is compared as ears do, by its logarithm. */
function nearest(voices: readonly Voice[], pitch_hz: number | null): Voice {
  const distance = (voice: Voice) => (pitch_hz === null ? 0 : Math.abs(Math.log(voice.pitch_hz / pitch_hz)));
  return voices.reduce((best, voice) => (distance(voice) < distance(best) ? voice : best));
}
