/** The segments of a transcription, in the form of the API and of storage. */

/** A word that an engine recognized. Times are integers in milliseconds from the start of the media. */
export type Word = {
  text: string;
  start_ms: number;
  end_ms: number;
  /** 0 to 1; NaN if the engine gives none. */
  confidence: number;
  /** The engine's confidence is so low that a person should check the word. */
  doubtful?: boolean;
  /** The engine's label for a voice ("spk_0"), if it separates voices. */
  speaker?: string;
};

/** A sentence or a part of one, by one speaker. Times are integers in milliseconds. */
export type Segment = {
  segment_id: string;
  /** The original segment of a translated one; null for a transcribed segment. */
  original_segment_id: string | null;
  start_ms: number;
  end_ms: number;
  /** `set` if a user set the start or the end. The cues then keep these times. Absent if the times are recognized. */
  timing?: 'automatic' | 'set';
  text: string;
  /** The speaker as shown to viewers: a name, or the engine's label. */
  speaker: string | null;
  /** The resource of the speaker, if assigned. */
  speaker_id: string | null;
  /** 0 to 1, weighted by the durations of the words; null if the engine gives none. */
  confidence: number | null;
  words: Word[];
  /** The recognized words, if the text was edited. Stored for the next edit, never shown. */
  heard?: Word[];
  /** The original of a translated segment when it was translated. Stored, never shown. */
  made_of?: MadeOf;
  /** The originals of the segments that a user merged into this one, besides its own. Stored, never shown. */
  joined?: Covered[];
};

/**
 * An original that a translation covers without a segment of its own. `sentences` is the fingerprint of its sentences at
 * that time; null if a user wrote the translation.
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
