/** The speech engines of this environment: with their own voices, or with cloned voices. */
import { speech as engines, voice_cloning } from '../../engines/registry.ts';
import type { SpeechEngine } from '../../engines/speech/port.ts';
import type { VoiceCloningEngine } from '../../engines/voice-cloning/port.ts';
import { engineFor } from './engines.ts';

export const speech = async (): Promise<SpeechEngine> => engineFor('speech', engines, {});

export const voiceCloning = async (): Promise<VoiceCloningEngine> =>
  engineFor('voice_cloning', voice_cloning, {});
