/** The voices of eSpeak NG: variants of the voice of each language, with lower or higher pitch. */
import type { Voice } from './port.ts';

export interface EspeakVoice extends Voice {
  readonly variant: string;
  /** Pitch from 0 to 99. The default of the variant is 50. */
  readonly pitch: number;
}

/** Voices that are easy to understand and to distinguish. `pitch_hz` was measured, with an error of up to 3 Hz. */
export const espeakVoices: readonly EspeakVoice[] = [
  { id: 'f2', variant: 'f2', pitch: 50, gender: 'female', pitch_hz: 195 },
  { id: 'm3', variant: 'm3', pitch: 50, gender: 'male', pitch_hz: 105 },
  { id: 'f3-high', variant: 'f3', pitch: 65, gender: 'female', pitch_hz: 242 },
  { id: 'm7-high', variant: 'm7', pitch: 65, gender: 'male', pitch_hz: 123 },
  { id: 'f2-low', variant: 'f2', pitch: 35, gender: 'female', pitch_hz: 170 },
  { id: 'm2-low', variant: 'm2', pitch: 35, gender: 'male', pitch_hz: 85 },
  { id: 'f3', variant: 'f3', pitch: 50, gender: 'female', pitch_hz: 212 },
  { id: 'm3-high', variant: 'm3', pitch: 80, gender: 'male', pitch_hz: 142 },
];
