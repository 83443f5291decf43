/** Types of findings and annotations. Times are milliseconds; positions are fractions of the picture, 0 to 1. */

import type { AutocenterSpan } from '../../../media/framing/autocenter-spans.ts';
import type { Box } from '../../../shared/boxes.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { Inconsistent } from '../../../shared/problems.ts';
import type { FoundFace } from './faces.ts';

interface Stored {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface CenterOfInterest extends Stored, Span {
  readonly coi_id: string;
  readonly asset_id: AssetId;
  readonly x: number;
  readonly y: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly label: string | null;
}

export interface MetadataHead extends Stored {
  readonly metadata_id: string;
  readonly asset_id: AssetId;
  /** Null if the metadata holds only texts of the picture, in an unknown language. */
  readonly language_id: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly sentiment: { readonly label: 'Negative' | 'Neutral' | 'Positive'; readonly score: number } | null;
  readonly classifications: readonly {
    readonly scheme: 'EBU ContentCS';
    readonly code: string;
    readonly name: string;
    readonly confidence: number | null;
  }[];
}

/** Members that are too long for the head, stored as a document. */
export interface MetadataDetails {
  readonly keywords: readonly { readonly text: string; readonly relevance: number }[];
  readonly entities: readonly {
    readonly text: string;
    readonly type: 'person' | 'organization' | 'location' | 'date' | 'product' | 'event' | 'other';
    readonly confidence: number | null;
    readonly mentions: readonly Span[];
  }[];
  readonly chapters: readonly (Span & { readonly title: string; readonly summary: string | null })[];
  readonly texts: readonly (Span & {
    readonly text: string;
    readonly box: Box;
    readonly confidence: number | null;
  })[];
}

export interface CameraShot extends Span {
  readonly start_frame: number | null;
  /** The first frame after the shot. */
  readonly end_frame: number | null;
  readonly transition: 'cut' | 'dissolve' | 'fade' | 'start';
  readonly confidence: number | null;
}

/** The name and the speaker that a caller set for a face. */
export interface FaceNaming extends Stored {
  readonly face_id: string;
  readonly name: string | null;
  readonly speaker_id: string | null;
}

/** Lists of findings; an asset has one of each. */
export interface AnalysisLists {
  readonly camera_shoots: CameraShot;
  readonly faces: FoundFace;
  readonly autocenter: AutocenterSpan;
  /** Texts in the picture, stored for the metadata. */
  readonly texts: MetadataDetails['texts'][number];
  readonly storyboard: StoryboardTile;
  /** The poster of the video: at most one. */
  readonly posters: Poster;
}

/** A small picture on a sheet, in pixels, and the time that it represents. */
export interface StoryboardTile extends Span {
  /** Key of the sheet's object, a JPEG. */
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Poster {
  /** Key of the object, a JPEG. */
  readonly key: string;
  /** Its time in the media. */
  readonly at_ms: number;
  readonly width: number;
  readonly height: number;
}

/** Throws validation_failed if the end is not after the start, or is beyond the media. */
export function requireSpan({ start_ms, end_ms }: Span, duration_ms: number | null, pointer = ''): void {
  const fault = (detail: string, code: string) =>
    new Inconsistent([{ pointer: `${pointer}/end_ms`, code, detail }]);
  if (start_ms >= end_ms)
    throw fault(`end_ms (${end_ms}) must be after start_ms (${start_ms}).`, 'too_small');
  if (duration_ms !== null && end_ms > duration_ms) {
    throw fault(`end_ms (${end_ms}) is after the end of the media (${duration_ms}).`, 'too_large');
  }
}

/** Sorts by start time; keeps the order of items that start together. */
export const byTime = <T extends Span>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => one.start_ms - other.start_ms);
