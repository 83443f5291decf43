/** Finds sounds, speech and voices in a stream of samples. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { findTurns } from '../../../media/sound/find-turns.ts';
import { createSoundListener, type FindEvents } from '../../../media/sound/sound-listener.ts';
import { createVoiceListener } from '../../../media/sound/voice-shapes.ts';
import { createWaveform, type Waveform } from '../../../media/sound/waveform.ts';
import type { SoundMap } from '../../../shared/sound.ts';

export interface SoundAnalyzer {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  duration_ms(): number;
  waveform(): Waveform;
  /** Ends the analysis after the last `push`. Takes 7 s of CPU time for each hour of sound, with pauses for other work. */
  end(reached: (fraction: number) => void): Promise<SoundMap>;
}

const SAMPLES_PER_MS = 16;
/** Finding sounds takes this share of the time of `end`. Finding voices takes the rest. */
const SOUNDS_SHARE = 0.65;

/** @param findEvents finds sounds other than speech; absent if no engine does */
export function createSoundAnalyzer(findEvents?: FindEvents): SoundAnalyzer {
  const sounds = createSoundListener();
  const voices = createVoiceListener();
  const peaks = createWaveform();
  let count = 0;
  const duration_ms = () => Math.floor(count / SAMPLES_PER_MS);
  return {
    push(samples) {
      count += samples.length;
      sounds.push(samples);
      voices.push(samples);
      peaks.push(samples);
    },
    duration_ms,
    waveform: peaks.end,
    async end(reached) {
      const heard = await runYielding(sounds.end(findEvents), (fraction) => reached(SOUNDS_SHARE * fraction));
      const turns = await runYielding(findTurns(voices.end(), heard.utterances), (fraction) =>
        reached(SOUNDS_SHARE + (1 - SOUNDS_SHARE) * fraction),
      );
      return { ...heard, duration_ms: duration_ms(), turns };
    },
  };
}

/** Runs the generator. After each progress value, other work of the process can run. */
async function runYielding<T>(work: Generator<number, T>, reached: (fraction: number) => void): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    reached(step.value);
    await yieldToOthers();
  }
}
