/** Types of findings and annotations. Times are milliseconds; positions are fractions of the picture, 0 to 1. */
import type { Static, TSchema } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/analyses.ts';
import type { Metadata, MetadataSummary } from '../../../contract/resources/metadata-schemas.ts';
import type { AutocenterSpan } from '../../../media/framing/autocenter-spans.ts';
import { Inconsistent } from '../../../shared/problems.ts';
import type { Interval } from '../../../shared/sound.ts';
import type { FoundFace } from './faces.ts';

type Answer<Schema extends TSchema> = Frozen<Static<Schema>>;
/** A stored item. Its version is the ETag, so answers have no version field. */
type Versioned<Schema extends TSchema> = Answer<Schema> & { readonly version: number };

export type CenterOfInterest = Versioned<typeof contract.CenterOfInterest>;
export type MetadataHead = Versioned<typeof MetadataSummary>;
/** The members of metadata that are too long for its head item. They are stored as a document. */
export type MetadataDetails = Omit<Answer<typeof Metadata>, keyof Answer<typeof MetadataSummary>>;
export type CameraShot = Answer<typeof contract.CameraShot>;

export type FaceNaming = Pick<Answer<typeof contract.Face>, 'face_id' | 'name' | 'speaker_id'> &
  Pick<CenterOfInterest, 'version' | 'created_at' | 'updated_at'>;

export type StoryboardTile = Omit<Tile, 'sheet'> & { readonly key: string };
/** A tile as callers see it, with the index of its sheet. */
export type Tile = Answer<typeof contract.Storyboard>['tiles'][number];

export type Poster = Omit<Answer<typeof contract.Poster>, 'url' | 'expires_at'> & { readonly key: string };

/** The lists of findings of an asset, with the type of their entries. */
export interface AnalysisLists {
  readonly camera_shoots: CameraShot;
  readonly faces: FoundFace;
  readonly autocenter: AutocenterSpan;
  readonly texts: MetadataDetails['texts'][number];
  readonly storyboard: StoryboardTile;
  /** The poster of the video: at most one. */
  readonly posters: Poster;
}

/** Throws validation_failed if the end is not after the start, or is beyond the media. */
export function requireSpan({ start_ms, end_ms }: Interval, duration_ms: number | null, pointer = ''): void {
  const fault = (detail: string, code: string) =>
    new Inconsistent([{ pointer: `${pointer}/end_ms`, code, detail }]);
  if (start_ms >= end_ms)
    throw fault(`end_ms (${end_ms}) must be after start_ms (${start_ms}).`, 'too_small');
  if (duration_ms !== null && end_ms > duration_ms) {
    throw fault(`end_ms (${end_ms}) is after the end of the media (${duration_ms}).`, 'too_large');
  }
}

export const byTime = <T extends Interval>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => one.start_ms - other.start_ms);
