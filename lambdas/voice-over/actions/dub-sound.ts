/** The audio track of a dub: speech on the timeline of the media, over the original sound. */
import type { MediaTools } from '../../../engines/media/port.ts';
import type { OpenMedia } from '../../../engines/media/range-reader.ts';
import type { Interval } from '../../../platform/shared/sound.ts';

export interface DubPiece {
  /** When its slot begins, on the clock of the media. */
  readonly start_ms: number;
  /** Mono, 48 kHz. */
  readonly samples: Int16Array;
  /** How much of it belongs to what comes next, as its fit report says. */
  readonly overflow_ms?: number;
}

export interface Dub {
  /** What is heard below the speech: the audio track of that number (from 1). Null where the media have no sound. */
  readonly original: { readonly media: OpenMedia; readonly track: number } | null;
  /** In the order of their start. */
  readonly pieces: AsyncIterable<DubPiece> | Iterable<DubPiece>;
  /** Where somebody speaks in the original, in order. */
  readonly speech_spans: readonly Interval[];
  /** Whether the original is silent while it or the dub speaks; it is softer then otherwise. */
  readonly mute_original_voice: boolean;
  /** How long the media are, and the track will be. */
  readonly duration_ms: number;
  /** Where the file goes, an MP4 of sound alone (.m4a); its folder holds some hundred MB an hour meanwhile. */
  readonly output: string;
}

export interface Dubbing {
  readonly tools: MediaTools;
  readonly signal?: AbortSignal | undefined;
  /** Hears how much is done, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** A piece that is not heard as it was given. */
export interface Displaced {
  readonly start_ms: number;
  /** By how much it begins later, since the piece before overflowed. */
  readonly late_ms: number;
  /** How much of its end is not heard: it would have kept others waiting, or outlasted the media. */
  readonly cut_ms: number;
}

/** Why a track is not as loud as EBU R128 asks for: nothing is heard, or too little to measure, or all of it is faint. */
export type UnusualLoudness = 'silent' | 'too_short' | 'faint';

export interface DubbedTrack {
  /** As measured on what was written; null where nothing can be measured. */
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  readonly unusual: UnusualLoudness | null;
  readonly displaced: readonly Displaced[];
  readonly duration_ms: number;
  readonly channels: number;
  readonly sample_rate: number;
  readonly codec: 'aac';
  readonly size_bytes: number;
}

/** Speaks the pieces over the original. Throws a JobError. */
export declare function dubbedTrack(dub: Dub, dubbing: Dubbing): Promise<DubbedTrack>;
