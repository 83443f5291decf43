/** Makes sequences of known sounds: music, applause, noise and silence, in any order and at any level. */
import type { Interval, SoundEventKind } from '../../../shared/sound.ts';
import { seeded } from '../../support/talk/random.ts';
import { soundOf } from '../../support/talk/sounds.ts';

const RATE = 16_000;

export type Truth = Interval & { kind: SoundEventKind };

const choices = [
  ['pad', 'music'],
  ['arpeggio', 'music'],
  ['band', 'music'],
  ['applause', 'applause'],
  ['applause', 'applause'],
  ['pinkNoise', 'noise'],
  [null, 'silence'],
] as const;

/** Returns 16 kHz mono samples with a few seconds of each sound. The same seed gives the same samples. */
export function scene(seed: number, stretches: number): { samples: Int16Array; truth: Truth[] } {
  const random = seeded(seed);
  const parts: Int16Array[] = [];
  const truth: Truth[] = [];
  let at = 0;
  for (let i = 0; i < stretches; i++) {
    const [name, kind] = random.pick(choices.filter((choice) => choice[1] !== truth.at(-1)?.kind));
    const seconds = random.between(3, 9);
    const level = random.between(-32, -16);
    const part =
      name === null ? new Int16Array(Math.round(seconds * RATE)) : soundOf(name, random, seconds, level);
    parts.push(part);
    truth.push({ kind, start_ms: Math.round(at / 16), end_ms: Math.round((at + part.length) / 16) });
    at += part.length;
  }
  const samples = new Int16Array(at);
  let to = 0;
  for (const part of parts) {
    samples.set(part, to);
    to += part.length;
  }
  // The quiet noise of every recording.
  return { samples: samples.map((value) => value + Math.round(random.between(-12, 12))), truth };
}
