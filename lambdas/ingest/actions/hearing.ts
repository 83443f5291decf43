/** What is heard in audio, found as its samples pass by. */
import { createSoundListener } from '../../../engines/sound/listener.ts';
import type { SoundMap } from '../../../platform/shared/sound.ts';

export interface Hearing {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  end(): SoundMap;
}

export function hearing(): Hearing {
  const sounds = createSoundListener();
  return {
    push: (samples) => sounds.push(samples),
    end: () => ({ ...sounds.end(), turns: [] }),
  };
}
