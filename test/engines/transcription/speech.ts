/** Speech as the engines get it. */
import { readFile } from 'node:fs/promises';
import { extractAudio } from '../../../engines/media/audio.ts';
import { probe } from '../../../engines/media/probe.ts';
import { createSoundListener } from '../../../engines/sound/listener.ts';
import { bestAudio, MEDIA_LIMITS } from '../../../platform/shared/media.ts';
import type { Interval } from '../../../platform/shared/sound.ts';
import { demoVideo, fixturePath, tools } from '../../fixtures/media.ts';

/** Samples as `readSamples` gives them, and where somebody speaks in them. */
export type Speech = { samples: Uint8Array; duration_ms: number; utterances: Interval[] };

/** @param duration_ms all of it when absent */
export const speechOfTheDemo = (duration_ms?: number) => speechOf(demoVideo, duration_ms);

export async function speechOf(file: string, duration_ms?: number): Promise<Speech> {
  const out = fixturePath('speech.wav');
  const media = await probe(tools, file, MEDIA_LIMITS);
  const whole = await extractAudio(tools, file, bestAudio(media)!, out, { timeout_ms: 60_000 });
  const length_ms = duration_ms ?? whole;
  const samples = (await readFile(out)).subarray(44, 44 + length_ms * 32);
  const listener = createSoundListener();
  listener.push(new Int16Array(Uint8Array.from(samples).buffer));
  return { samples, duration_ms: length_ms, utterances: listener.end().utterances };
}
