/** What every engine does that tells sounds apart which are no speech. */

import type { HeardSounds } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures } from '../../media/sound/frame-measures.ts';
import type { SoundEvent } from '../../shared/sound.ts';
import { engineOf } from '../engine.ts';

export interface SoundEvents {
  /**
   * What is heard beside speech, in order and apart, from what listening has measured already: a second of a processor for
   * an hour of sound.
   * @param heard the sounds of the same facts, in frames of 10 ms
   */
  find(facts: FrameMeasures, heard: Pick<HeardSounds, 'sounds'>): SoundEvent[];
}

export const soundEventsEngine = engineOf<SoundEvents>();
