/** The interface of engines that transcribe, either on this machine or as jobs of a service. `ENGINE_TRANSCRIPTION` names the engine. */
import type { Word } from '../../shared/segments.ts';
import type { Interval, SoundMap } from '../../shared/sound.ts';
import { engineOf } from '../engine.ts';
import type { Piece } from './plan-pieces.ts';

export type { Interval, Piece };

export type AudioSource = Pick<SoundMap, 'duration_ms' | 'utterances'>;

export type TranscriptionRequest = {
  /** Idempotency key of this work: letters, digits and `-_./`. */
  key: string;
  /** A BCP 47 tag. Null: the engine detects the language if possible. */
  language: string | null;
  /** The utterances in the piece, in order. Their times are relative to the start of the audio. */
  utterances: readonly Interval[];
  /** Expected words and phrases, for engines with `takesTerms`. */
  terms?: readonly string[] | undefined;
  /** The time since the start of the job, ms. After some time, an engine no longer waits until it can use the terms. */
  age_ms?: number | undefined;
  /** Returns the samples of the piece, or of a part of it: 16 kHz, mono, 16 bit, little endian. */
  readSamples(part: Interval): Promise<Uint8Array>;
  /** Returns the address of an object that contains exactly the piece: `s3://bucket/key`. */
  locate(piece: Piece): Promise<string>;
  /** Called with the progress of the piece, 0 to 1, whenever the engine knows it. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** Times of words are relative to the start of the audio, not of the piece. */
export type Transcript = {
  words: Word[];
  /** The BCP 47 tag of the requested or detected language. "und" if unknown. */
  language: string;
  /** Present only if no language was requested and the engine supports only one language: how well the words fit this language. */
  assumed?: Assumption | undefined;
  /** True if the provider had no place for the terms of the request, or does not support terms in this language. */
  without_terms?: boolean | undefined;
};

/** `words`: all recognized words. `fitting`: words that sound like the language. `confidence`: the sum of confidences. */
export type Assumption = { words: number; fitting: number; confidence: number };

export type PieceProgress =
  | {
      status: 'running';
      /** The progress, 0 to 1. Null if unknown. */
      progress: number | null;
      retry_after_s: number;
    }
  | ({ status: 'done' } & Transcript);

/** Methods throw a JobError. A retry may succeed if the error is `retryable`. */
export interface TranscriptionEngine {
  /** True if the engine ignores music and noise. Words that other engines find outside of utterances are removed. */
  readonly tellsSpeechApart: boolean;
  /** True if the engine uses `terms`. For other engines, only rules correct the transcript later. */
  readonly takesTerms: boolean;
  /** Returns true if the engine supports the language, a BCP 47 tag. For null, returns true if the engine can work without a given language. */
  supports(language: string | null): boolean;
  /** Splits the audio into pieces that cover it in order and do not split utterances. */
  plan(audio: AudioSource): Promise<Piece[]>;
  /** Starts, continues or finishes a piece. Idempotent by `request.key`. */
  transcribe(piece: Piece, request: TranscriptionRequest): Promise<PieceProgress>;
  /** Deletes the data of this key at the provider. Returns false while a job is still running. Absent for engines without a provider. */
  discard?(key: string): Promise<boolean>;
}

export interface TranscriptionContext {
  readonly workDir: string;
  /** The name of the environment, for the tags of jobs at the provider. */
  readonly environment?: string;
  readObject(key: string): Promise<string>;
  /** Writes an object to the media bucket. The key of the object starts with the key of a piece. */
  writeObject(key: string, text: string): Promise<void>;
}

export const transcriptionEngine = engineOf<TranscriptionEngine, TranscriptionContext>();
