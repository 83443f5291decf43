/** The engine of this environment that recognizes sounds other than speech. */
import { sound_events as engines } from '../../engines/registry.ts';
import type { SoundEvents } from '../../engines/sound-events/port.ts';
import { availability, engineFor } from './engines.ts';

/** Null if no engine is available: the sound is then analyzed without it. */
export const soundEvents = (): SoundEvents | null =>
  availability('sound_events').status === 'available' ? engineFor('sound_events', engines, {}) : null;
