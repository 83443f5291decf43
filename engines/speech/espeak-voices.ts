/** The voices of eSpeak NG: its variants of a language's own voice, lower or higher. */
import type { Voice } from './port.ts';

export interface EspeakVoice extends Voice {
  /** Its name among the variants. */
  readonly variant: string;
  /** 0 to 99; 50 is as the variant has it. */
  readonly pitch: number;
}

/**
 * Those that are understood well and are apart from each other. Pitch is measured on a sentence in English and one in
 * Spanish, which differ by 3 Hz at most; in languages of tones it is the same, too.
 */
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
