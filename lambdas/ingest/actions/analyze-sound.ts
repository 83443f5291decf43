/** What is heard in audio, and who speaks, found as its samples pass by. */
import { setImmediate as breath } from 'node:timers/promises';
import { createVoiceListener, turnsOf } from '../../../media/sound/find-turns.ts';
import { createSoundListener, type FindEvents } from '../../../media/sound/sound-listener.ts';
import { createPeaks, type Waveform } from '../../../media/sound/waveform.ts';
import type { SoundMap } from '../../../shared/sound.ts';

export interface SoundAnalyzer {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  /** Of the samples so far. */
  duration_ms(): number;
  /** What players draw, once all samples are in. */
  waveform(): Waveform;
  /**
   * What was heard, once all samples are in: 7 s of a processor an hour, during which other work gets its turns.
   * @param reached how much is done, 0 to 1
   */
  end(reached: (fraction: number) => void): Promise<SoundMap>;
}

const SAMPLES_PER_MS = 16;
/** Of the time that the end takes, that of the sounds; the rest is that of the voices. */
const SOUNDS_SHARE = 0.65;

/** @param findEvents looks for what is heard beside speech, where an engine does */
export function createSoundAnalyzer(findEvents?: FindEvents): SoundAnalyzer {
  const sounds = createSoundListener();
  const voices = createVoiceListener();
  const peaks = createPeaks();
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
      const heard = await inTurns(sounds.end(findEvents), (fraction) => reached(SOUNDS_SHARE * fraction));
      const turns = await inTurns(turnsOf(voices.end(), heard.utterances), (fraction) =>
        reached(SOUNDS_SHARE + (1 - SOUNDS_SHARE) * fraction),
      );
      return { ...heard, duration_ms: duration_ms(), turns };
    },
  };
}

/** Works on, and lets other work have its turn whenever it is told how much is done. */
async function inTurns<T>(work: Generator<number, T>, reached: (fraction: number) => void): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    reached(step.value);
    await breath();
  }
}
