/** Real speech: that of the bundled video, as the engines get it. */
import { demoVideo, pcmOf } from '../../fixtures/media.ts';

/** Samples as `readSamples` gives them, in English. */
export type Speech = { samples: Uint8Array; duration_ms: number };

/** @param duration_ms all of it when absent */
export async function speechOfTheDemo(duration_ms?: number): Promise<Speech> {
  const samples = await pcmOf(demoVideo);
  const whole = Math.floor(samples.length / 32);
  if (duration_ms === undefined) return { samples, duration_ms: whole };
  return { samples: samples.subarray(0, duration_ms * 32), duration_ms };
}
