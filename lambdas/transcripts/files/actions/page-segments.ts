/**
 * Pages of the segments of a transcription. A cursor contains the version of the first page. All pages therefore show
 * one version, even if someone edits the transcription meanwhile.
 */
import type { Static } from 'typebox';
import type { getTranscription } from '../../../../contract/resources/transcriptions.ts';
import { pageLinks } from '../../../../platform/kernel/replies.ts';
import { readVersionCursor, type VersionCursor, writeVersionCursor } from '../../../../shared/cursor.ts';

/** The maximum number of segments on a page (a limit of the contract), and the default. */
const MAX_ITEMS = 1000;

type SegmentQuery = Static<typeof getTranscription.query>;

interface SegmentPlace extends Partial<VersionCursor> {
  readonly page: number;
  readonly items: number;
  readonly skip: number;
}

const filtersOf = (transcription: string, { version, qc }: SegmentQuery) => [
  transcription,
  String(version ?? ''),
  ...(qc === undefined ? [] : [qc]),
];

/** The page that the query asks for. Null if it asks for all segments. Throws invalid_cursor for a cursor that is not from this list. */
export function segmentPlace(transcription: string, query: SegmentQuery): SegmentPlace | null {
  const { page = 1, items, cursor } = query;
  if (query.page === undefined && items === undefined && cursor === undefined) return null;
  const size = items ?? MAX_ITEMS;
  if (cursor !== undefined) {
    return { ...readVersionCursor(cursor, filtersOf(transcription, query)), items: size };
  }
  return { page, skip: (page - 1) * size, items: size };
}

/** The paging fields of the answer, and its Link header. */
export function segmentPage<Segment>(
  path: string,
  { transcription_id, version }: { readonly transcription_id: string; readonly version: number },
  {
    segments,
    query,
    place: { page, items, skip },
  }: { readonly segments: readonly Segment[]; readonly query: SegmentQuery; readonly place: SegmentPlace },
) {
  const end = skip + items;
  const next = { version, page: page + 1, skip: end };
  const next_cursor =
    end < segments.length ? writeVersionCursor(next, filtersOf(transcription_id, query)) : null;
  return {
    members: { segments: segments.slice(skip, end), page, items, next_cursor },
    headers: { Link: pageLinks(path, { ...query, items }, page, next_cursor) },
  };
}
