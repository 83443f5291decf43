/** Real speech: that of the bundled video, as the engines get it. */
import { createSoundListener } from '../../../engines/sound/listener.ts';
import type { Interval } from '../../../platform/shared/sound.ts';
import { demoVideo, pcmOf } from '../../fixtures/media.ts';

/** Samples as `readSamples` gives them, in English, and where somebody speaks in them. */
export type Speech = { samples: Uint8Array; duration_ms: number; utterances: Interval[] };

/** @param duration_ms all of it when absent */
export async function speechOfTheDemo(duration_ms?: number): Promise<Speech> {
  const all = await pcmOf(demoVideo);
  const length_ms = duration_ms ?? Math.floor(all.length / 32);
  const samples = all.subarray(0, length_ms * 32);
  const listener = createSoundListener();
  listener.push(new Int16Array(Uint8Array.from(samples).buffer));
  return { samples, duration_ms: length_ms, utterances: listener.end().utterances };
}
