/** The speech engine of this environment. */
import { speech as engines } from '../../engines/registry.ts';
import type { SpeechEngine } from '../../engines/speech/port.ts';
import { engineFor } from './engines.ts';

/** Throws `engine_unavailable` where there is none. */
export const speech = async (): Promise<SpeechEngine> => engineFor('speech', engines, {});
