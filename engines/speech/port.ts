/** What every engine for speech does, whether it runs here or asks a service. */
import { engineOf } from '../engine.ts';

export interface Voice {
  /** Unique among the voices of the engine in one language. */
  readonly id: string;
  readonly gender: 'female' | 'male';
  /** The median of its fundamental frequency, hertz. */
  readonly pitch_hz: number;
}

export interface SpeechRequest {
  /** BCP 47. */
  readonly language: string;
  /** The id of one of `voices(language)`. */
  readonly voice: string;
  /** How fast, 1 to 1.5: 1 is as fast as the voice speaks by itself. */
  readonly rate: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SpokenWord {
  readonly text: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface Speech {
  /** Mono, with the silence that the engine puts around it. */
  readonly samples: Int16Array;
  /** Samples a second. */
  readonly sample_rate: number;
  /** Empty where the engine tells none. */
  readonly words: readonly SpokenWord[];
  /** As the engine counts them, and a service bills them. */
  readonly characters: number;
}

/** `speak` throws a JobError; one that is `retryable` may go well when asked again. */
export interface SpeechEngine {
  /** The voices for a BCP 47 language, the preferred ones first; none where it does not speak it. */
  voices(language: string): readonly Voice[];
  /** The text, spoken: all of it, and nothing in it is a command. Throws `language_unsupported` for a language without voices. */
  speak(text: string, request: SpeechRequest): Promise<Speech>;
}

export const speechEngine = engineOf<SpeechEngine>();
