/** The interface of engines that classify sounds other than speech. `ENGINE_SOUND_EVENTS` names the engine. */
import type { HeardSounds } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures } from '../../media/sound/frame-measures.ts';
import type { SoundEvent } from '../../shared/sound.ts';
import { engineOf } from '../engine.ts';

export interface SoundEvents {
  /**
   * Returns music, applause, noise and silence, in order and without overlap. Works on the measurements that were also used to find
   * speech. One hour of sound takes one second.
   * @param heard the sounds that the search for speech found, in frames of 10 ms
   */
  find(facts: FrameMeasures, heard: Pick<HeardSounds, 'sounds'>): SoundEvent[];
}

export const soundEventsEngine = engineOf<SoundEvents>();
