/** What is heard in audio, and who speaks, found as its samples pass by. */
import { createSoundListener } from '../../../engines/sound/listener.ts';
import { createVoiceListener, turnsOf } from '../../../engines/sound/voices.ts';
import type { SoundMap } from '../../../platform/shared/sound.ts';

export interface Hearing {
  /** The next samples: 16 kHz, mono. */
  push(samples: Int16Array): void;
  end(): SoundMap;
}

export function hearing(): Hearing {
  const sounds = createSoundListener();
  const voices = createVoiceListener();
  return {
    push(samples) {
      sounds.push(samples);
      voices.push(samples);
    },
    end() {
      const heard = sounds.end();
      return { ...heard, turns: turnsOf(voices.end(), heard.utterances) };
    },
  };
}
