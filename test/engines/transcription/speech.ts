/** Speech as engines receive it. */
import { createSoundListener } from '../../../media/sound/sound-listener.ts';
import type { Interval } from '../../../shared/sound.ts';
import { demoVideo, pcmOf } from '../../fixtures/media.ts';
import { outcomeOf } from '../../support/outcome.ts';

export type Speech = { samples: Uint8Array; duration_ms: number; utterances: Interval[] };

/** @param duration_ms default: the whole file */
export const speechOfTheDemo = (duration_ms?: number) => speechOf(demoVideo, duration_ms);

export async function speechOf(file: string, duration_ms?: number): Promise<Speech> {
  const all = await pcmOf(file);
  const length_ms = duration_ms ?? Math.floor(all.length / 32);
  const samples = all.subarray(0, length_ms * 32);
  const listener = createSoundListener();
  listener.push(new Int16Array(Uint8Array.from(samples).buffer));
  return { samples, duration_ms: length_ms, utterances: outcomeOf(listener.end()).utterances };
}
