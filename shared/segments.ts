/** What a transcription is made of, in the shape it has on the wire and in storage. */

/** One word as an engine heard it. Times are integers in milliseconds from the start of the media. */
export type Word = {
  text: string;
  start_ms: number;
  end_ms: number;
  /** 0 to 1; NaN where the engine gives none. */
  confidence: number;
  /** The engine is so unsure of it that somebody should look at it. */
  doubtful?: boolean;
  /** The engine's label for a voice ("spk_0"), where it tells voices apart. */
  speaker?: string;
};

/** A sentence or a part of one, by one speaker. Times are integers in milliseconds. */
export type Segment = {
  segment_id: string;
  /** The segment of the transcribed language that this one translates; null when it is itself transcribed. */
  original_segment_id: string | null;
  start_ms: number;
  end_ms: number;
  /** `set` once somebody said when it begins or ends: its cues then keep to its times. Absent: as it was heard. */
  timing?: 'automatic' | 'set';
  text: string;
  /** The speaker as shown to viewers: a name, or the engine's label. */
  speaker: string | null;
  /** The speaker resource, once one was assigned. */
  speaker_id: string | null;
  /** 0 to 1, weighted by the words' durations; null where the engine gives none. */
  confidence: number | null;
  words: Word[];
  /** What was heard, where `words` are those of a text that somebody wrote: kept for the next edit, never shown. */
  heard?: Word[];
  /** Of what a translated segment was made: kept, never shown. */
  made_of?: MadeOf;
};

/** When a segment is said, and by whom: the id of a speaker, or a label. */
export type Place = { start_ms: number; end_ms: number; speaker: string | null };

/** What the original of a translated segment was when that was made, and what an engine made of it. */
export type MadeOf = {
  /** A fingerprint of the sentences that the original has a part in. */
  sentences: string;
  place: Place;
  /** A fingerprint of the text that came of it, and of when it is shown; absent once a person settled the segment. */
  result?: string;
};
