/** The engines of this environment that speak: in voices of their own, or in those of the people who are dubbed. */
import { speech as engines, voice_cloning } from '../../engines/registry.ts';
import type { SpeechEngine } from '../../engines/speech/port.ts';
import type { VoiceCloningEngine } from '../../engines/voice-cloning/port.ts';
import { engineFor } from './engines.ts';

/** Throws `engine_unavailable` where there is none. */
export const speech = async (): Promise<SpeechEngine> => engineFor('speech', engines, {});

/** Throws `engine_unavailable` where there is none. */
export const voiceCloning = async (): Promise<VoiceCloningEngine> =>
  engineFor('voice_cloning', voice_cloning, {});
