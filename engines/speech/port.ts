/** The interface of engines that turn text into speech. `ENGINE_SPEECH` names the engine. */
import type { Interval } from '../../shared/sound.ts';
import { engineOf } from '../engine.ts';

export interface Voice {
  readonly id: string;
  readonly gender: 'female' | 'male';
  /** The median of the voice's fundamental frequency, in hertz. */
  readonly pitch_hz: number;
}

export interface SpeechRequest {
  /** BCP 47. */
  readonly language: string;
  /** The id of one of `voices(language)`. */
  readonly voice: string;
  /** Speed, 1 to 1.5. 1 is the normal speed of the voice. */
  readonly rate: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SpokenWord extends Readonly<Interval> {
  readonly text: string;
}

export interface Speech {
  /** Mono samples. They include the silence that the engine adds at both ends. */
  readonly samples: Int16Array;
  readonly sample_rate: number;
  /** Times of the words. Empty if the engine does not return word times. */
  readonly words: readonly SpokenWord[];
  /** The number of billed characters, as the engine counts them. */
  readonly characters: number;
}

/** `speak` throws a JobError. A retry may succeed if the error is `retryable`. */
export interface SpeechEngine {
  /** Returns the voices for a BCP 47 tag, the preferred voices first. Empty if the engine does not support the language. */
  voices(language: string): readonly Voice[];
  /** Speaks the whole text. Never interprets parts of it as commands. Throws `language_unsupported` if the language has no voices. */
  speak(text: string, request: SpeechRequest): Promise<Speech>;
}

export const speechEngine = engineOf<SpeechEngine>();
