/** The engine of this environment that tells sounds apart which are no speech. */
import { sound_events as engines } from '../../engines/registry.ts';
import type { SoundEvents } from '../../engines/sound-events/port.ts';
import { availability, engineFor } from './engines.ts';

/** Null where there is none: listening goes on without it. */
export const soundEvents = (): SoundEvents | null =>
  availability('sound_events').status === 'available' ? engineFor('sound_events', engines, {}) : null;
