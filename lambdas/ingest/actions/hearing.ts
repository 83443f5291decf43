/** What is heard in audio, found as its samples pass by. */
import { createSoundListener } from '../../../engines/sound/listener.ts';
import type { SoundMap } from '../../../platform/shared/sound.ts';

export interface Hearing {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  end(): SoundMap;
}

const SAMPLES_PER_MS = 16;

export function hearing(): Hearing {
  const sounds = createSoundListener();
  let count = 0;
  return {
    push(samples) {
      count += samples.length;
      sounds.push(samples);
    },
    end: () => ({ duration_ms: Math.floor(count / SAMPLES_PER_MS), ...sounds.end(), turns: [] }),
  };
}
