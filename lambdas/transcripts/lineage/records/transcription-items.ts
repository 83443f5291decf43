/** The stored items of transcriptions: a head for each transcription, and an item for each of its versions. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/transcription-versions.ts';
import {
  assetId,
  boolean,
  checked,
  list,
  number,
  oneOf,
  optional,
  type Parsed,
  shape,
  text,
} from '../../../../shared/parse.ts';
import type { Covered, Segment } from '../../../../shared/segments.ts';

const madeBy = shape({ job_id: text, version: number, characters: optional(number) });

export type MadeBy = Parsed<typeof madeBy>;

const transcription = {
  transcription_id: text,
  asset_id: assetId,
  language_id: text,
  source: oneOf('transcribed', 'translated'),
  version: number,
  stale: boolean,
  segment_count: number,
  created_at: text,
  updated_at: text,
};

const callersView = shape(transcription);

/**
 * The head of a transcription. `document` is the key of the segments of its newest version. `made_by` is the last job
 * that made a version.
 */
export const storedTranscription = shape({ ...transcription, document: text, made_by: optional(madeBy) });

export type Transcription = Parsed<typeof callersView>;
export type StoredTranscription = Parsed<typeof storedTranscription>;

export const transcriptionView = (head: StoredTranscription): Transcription => callersView(head);

/** A description of an edit, which the list of versions shows. */
export type VersionChange = NonNullable<Static<typeof contract.TranscriptionVersion>['change']>;

export const versionChange = (
  action: VersionChange['action'],
  segments: number,
  restored_version: number | null = null,
): VersionChange => ({ action, segments, restored_version });

/** An item of a version. `did` describes the edit that made the version. */
export const storedVersion = shape({
  version: number,
  segment_count: number,
  updated_at: text,
  document: text,
  did: optional(checked<VersionChange>({ action: text as never, segments: number })),
});

export const segmentsDocument = shape({
  segments: list(checked<Segment>({ segment_id: text, start_ms: number, end_ms: number, text })),
  omitted: optional(list(checked<Covered>({ original_segment_id: text }))),
});
