/** The interface of engines that clone voices, to dub people in their own voices. `ENGINE_VOICE_CLONING` names the engine. */
import { engineOf } from '../engine.ts';
import type { Speech, SpeechRequest } from '../speech/port.ts';

/** Methods throw a JobError. A retry may succeed if the error is `retryable`. */
export interface VoiceCloningEngine {
  /** Requires the consent of the speaker. @param name shown to users of the provider @param samples a WAV file, 30 to 180 s */
  clone(
    name: string,
    samples: Uint8Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
  speak(text: string, request: SpeechRequest): Promise<Speech>;
  /** Deletes a voice. Succeeds if the voice does not exist. */
  discard(voice: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

export const voiceCloningEngine = engineOf<VoiceCloningEngine>();
