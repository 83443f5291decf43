/** What is heard in audio, and who speaks, found as its samples pass by. */
import { createSoundListener } from '../../../engines/sound/listener.ts';
import { createVoiceListener, turnsOf } from '../../../engines/sound/voices.ts';
import type { SoundMap } from '../../../platform/shared/sound.ts';

export interface Hearing {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  /** Of the samples so far. */
  duration_ms(): number;
  end(): SoundMap;
}

const SAMPLES_PER_MS = 16;

export function hearing(): Hearing {
  const sounds = createSoundListener();
  const voices = createVoiceListener();
  let count = 0;
  const duration_ms = () => Math.floor(count / SAMPLES_PER_MS);
  return {
    push(samples) {
      count += samples.length;
      sounds.push(samples);
      voices.push(samples);
    },
    duration_ms,
    end() {
      const heard = sounds.end();
      return { ...heard, duration_ms: duration_ms(), turns: turnsOf(voices.end(), heard.utterances) };
    },
  };
}
