/** Real speech: that of the bundled video, as the engines get it. */
import { readFile } from 'node:fs/promises';
import { extractAudio } from '../../../engines/media/audio.ts';
import { probe } from '../../../engines/media/probe.ts';
import { bestAudio, MEDIA_LIMITS } from '../../../platform/shared/media.ts';
import { demoVideo, fixturePath, tools } from '../../fixtures/media.ts';

/** Samples as `readSamples` gives them, in English. */
export type Speech = { samples: Uint8Array; duration_ms: number };

/** @param duration_ms all of it when absent */
export async function speechOfTheDemo(duration_ms?: number): Promise<Speech> {
  const out = fixturePath('speech.wav');
  const media = await probe(tools, demoVideo, MEDIA_LIMITS);
  const whole = await extractAudio(tools, demoVideo, bestAudio(media)!, out, { timeout_ms: 60_000 });
  const samples = (await readFile(out)).subarray(44);
  if (duration_ms === undefined) return { samples, duration_ms: whole };
  return { samples: samples.subarray(0, duration_ms * 32), duration_ms };
}
