/** What every transcription engine does, whether it listens here and now or runs jobs elsewhere. */
import type { Word } from '../../shared/segments.ts';
import type { Interval, SoundMap } from '../../shared/sound.ts';
import { engineOf } from '../engine.ts';
import type { Piece } from './plan-pieces.ts';

export type { Interval, Piece };

/** What was heard in the audio before any engine is asked for words. */
export type AudioSource = Pick<SoundMap, 'duration_ms' | 'utterances'>;

export type TranscriptionRequest = {
  /** Names this piece of work: letters, digits and `-_./`. The same key is the same work, however often asked. */
  key: string;
  /** BCP 47; null lets the engine find out, if it can. */
  language: string | null;
  /** Where somebody speaks in the piece: in order, within it. Times count from the start of the audio. */
  utterances: readonly Interval[];
  /** Words and phrases that are likely to be said, as they are written; for engines that take them. */
  terms?: readonly string[] | undefined;
  /** The samples of the piece or of any part of it: 16 kHz, mono, 16 bit little endian. */
  readSamples(part: Interval): Promise<Uint8Array>;
  /** Where the piece lies as an object of its own (`s3://bucket/key`): the whole file if the piece is the whole. */
  locate(piece: Piece): Promise<string>;
  /** Hears how much of the piece is done, 0 to 1, as often as the engine can tell. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** Times of words count from the start of the audio, not of the piece. */
export type Transcript = {
  words: Word[];
  /** BCP 47: as requested, or as found; "und" if neither. */
  language: string;
  /** Where nobody said what language it is, and the engine knows one alone: how far what it heard sounds like that one. */
  assumed?: Assumption | undefined;
};

/**
 * How many words an engine heard, doubtful ones included, how many of them sound as its language does, and the sum of their
 * confidences.
 */
export type Assumption = { words: number; fitting: number; confidence: number };

export type PieceProgress =
  | {
      status: 'running';
      /** 0 to 1; null where the engine does not tell. */
      progress: number | null;
      /** Ask again after so many seconds. */
      retry_after_s: number;
    }
  | ({ status: 'done' } & Transcript);

/** Methods throw a JobError; one that is `retryable` may go well when asked again. */
export interface TranscriptionEngine {
  /** Whether it tells speech from music and noise by itself; the words of others count only where speech was heard. */
  readonly tellsSpeechApart: boolean;
  /** Whether it hears words better that it is told to expect. Those of others are written by rules afterwards alone. */
  readonly takesTerms: boolean;
  /** Whether it understands a BCP 47 language; null asks whether it can do without being told. */
  supports(language: string | null): boolean;
  /** How it wants the audio cut: in order, covering everything, no utterance in two. */
  plan(audio: AudioSource): Promise<Piece[]>;
  /** Starts, continues or finishes a piece. Idempotent by `request.key`. */
  transcribe(piece: Piece, request: TranscriptionRequest): Promise<PieceProgress>;
  /**
   * Removes what a provider has under that key. False while it cannot: it works on it and does not stop. Absent where the
   * engine works in this process.
   */
  discard?(key: string): Promise<boolean>;
}

/** What an engine is given beside its settings. */
export interface TranscriptionContext {
  /** An existing folder for temporary files. */
  readonly workDir: string;
  /** Reads an object of the media bucket as text. */
  readObject(key: string): Promise<string>;
  /** Writes one, under the key of a piece or one that begins with it. */
  writeObject(key: string, text: string): Promise<void>;
}

export const transcriptionEngine = engineOf<TranscriptionEngine, TranscriptionContext>();
