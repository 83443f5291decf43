/** Speech in the voices of the people who are dubbed. */
import { engineOf } from '../engine.ts';
import type { Speech, SpeechRequest } from '../speech/port.ts';

/** Methods throw a JobError; one that is `retryable` may go well when asked again. */
export interface VoiceCloningEngine {
  /**
   * Makes a voice that sounds as the samples do, which the speaker must have agreed to.
   * @param name what the provider shows to people
   * @param samples a WAV file of one person who speaks, from half a minute to three
   * @returns the id of the voice
   */
  clone(
    name: string,
    samples: Uint8Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
  /** The text in a voice that was cloned. */
  speak(text: string, request: SpeechRequest): Promise<Speech>;
  /** Removes a voice. One that is already gone is no error. */
  discard(voice: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

export const voiceCloningEngine = engineOf<VoiceCloningEngine>();
