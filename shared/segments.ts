/** The segments of a transcription, in the form of the API and of storage. */

/** A word that an engine recognized. Times are integers in milliseconds from the start of the media. */
export type Word = {
  text: string;
  start_ms: number;
  end_ms: number;
  /** 0 to 1; NaN if the engine returns no confidence. */
  confidence: number;
  /** True if the engine's confidence is so low that a person should check the word. */
  doubtful?: boolean;
  /** The engine's label for a voice ("spk_0"), if it separates voices. */
  speaker?: string;
};

/** A sentence or a part of one, by one speaker. Times are integers in milliseconds. */
export type Segment = {
  segment_id: string;
  /** The original segment of a translated segment; null for a transcribed segment. */
  original_segment_id: string | null;
  start_ms: number;
  end_ms: number;
  /** `set` if a user set the start or the end. The cues then keep these times. Absent if the times are recognized. */
  timing?: 'automatic' | 'set';
  text: string;
  /** The speaker as shown to viewers: a name, or the engine's label. */
  speaker: string | null;
  /** The id of the speaker; null if no speaker is assigned. */
  speaker_id: string | null;
  /** 0 to 1, weighted by the durations of the words; null if the engine returns no confidence. */
  confidence: number | null;
  words: Word[];
  /** The recognized words of a segment with edited text. Stored for the next edit, never shown. */
  heard?: Word[];
  /** The state of the original segment at the time of the translation. Stored, never shown. */
  made_of?: MadeOf;
  /** The original segments of the segments that a user merged into this segment. Stored, never shown. */
  joined?: Covered[];
};

/**
 * An original segment that a merged segment translates. `sentences` is the fingerprint of its sentences when it was translated; null if a
 * user wrote the translation.
 */
export type Covered = { original_segment_id: string; sentences: string | null };

/** The times and the speaker of a segment: the id of a speaker, or a label. */
export type Place = { start_ms: number; end_ms: number; speaker: string | null };

/** The state of the original when this segment was translated, and the result of the engine. */
export type MadeOf = {
  /** A fingerprint of the sentences that contain text of the original. */
  sentences: string;
  place: Place;
  /** A fingerprint of the translated text and its times; absent after a user accepted or edited the segment. */
  result?: string;
};

/** An original segment without a translation. */
export type Missing = { original_segment_id: string; start_ms: number; end_ms: number };
