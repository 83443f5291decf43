/** Plans the sentences for an engine, and makes translated segments of the results. */
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import {
  followOriginal,
  isAnyStale,
  isCorrected,
  type Origin,
  originsOf,
  recordOrigin,
  staleness,
  translatedSegmentId,
} from '../../transcripts/lineage/rules/staleness.ts';
import {
  joinTexts,
  type WrittenSentence,
  writtenSentences,
} from '../../transcripts/lineage/rules/written-sentences.ts';
import { divideSentence } from './divide-sentence.ts';
import type { FindKept } from './protected-words.ts';

export interface Original {
  readonly segments: readonly Segment[];
  /** BCP 47 tag of the text. */
  readonly language: string;
}

type Span = Pick<Segment, 'start_ms' | 'end_ms'>;

export interface Plan {
  readonly sentences: readonly WrittenSentence[];
  readonly places: ReadonlySet<number>;
  /** Ids of original segments that the request lists. Null if it asks for all segments. */
  readonly named: ReadonlySet<string> | null;
}

export interface Translation {
  readonly transcription_id: string;
  readonly created_at: string;
  /** BCP 47 tag of the text. */
  readonly language: string;
}

/**
 * Plans the translation of the requested segments. The plan also has the segments that share their sentences, unless a
 * person corrected them. A requested segment needs no engine if only its times or speaker changed.
 * @param named ids of original segments, which may have been deleted. Null means all segments.
 * @param before the current translation
 */
export function planTranslation(
  { segments, language }: Original,
  named: ReadonlySet<string> | null,
  before: readonly Segment[],
): Plan {
  const all = writtenSentences(segments, language);
  const idOf = (place: number) => itemAt(segments, place).segment_id;
  const corrected = new Set(before.filter(isCorrected).map(({ original_segment_id: id }) => id));
  if (named === null) {
    const places = [...segments.keys()].filter((place) => !corrected.has(idOf(place)));
    return { named, ...asking(all, new Set(places)) };
  }
  const reasons = reasonsOf(before, originsOf(segments, language));
  const isAsked = (place: number) => named.has(idOf(place)) && reasons.get(idOf(place)) !== 'placement';
  // Whether a segment is translated. If it has no translation, a person deleted that, and only a new text restores it.
  const isMade = (place: number, isChanged: boolean) =>
    isAsked(place) || (reasons.has(idOf(place)) ? !corrected.has(idOf(place)) : isChanged);
  const places = all.flatMap(({ parts }) => {
    const own = parts.map(({ segment }) => segment);
    if (!own.some(isAsked)) return [];
    const isChanged = own.some((place) => reasons.get(idOf(place)) === 'text');
    return own.filter((place) => isMade(place, isChanged));
  });
  return { named, ...asking(all, new Set(places)) };
}

/** The sentences with a part in one of the segments. The engine needs whole sentences. */
const asking = (all: readonly WrittenSentence[], places: ReadonlySet<number>) => ({
  places,
  sentences: all.filter(({ parts }) => parts.some(({ segment }) => places.has(segment))),
});

export const charactersOf = ({ sentences }: Pick<Plan, 'sentences'>): number =>
  sentences.reduce((sum, { text }) => sum + text.length, 0);

/** Why each translation is stale, by id of its original; null if it is current. */
const reasonsOf = (translated: readonly Segment[], origins: ReadonlyMap<string, Origin>) =>
  new Map(translated.map((segment) => [segment.original_segment_id, staleness(segment, origins)]));

/** Makes the translated segments of a plan from its translated sentences. Leaves out a segment for which no word remains. */
export function translatedSegments(
  original: Original,
  { sentences, places }: Plan,
  {
    texts,
    translation: { transcription_id, created_at, language },
    names,
  }: { readonly texts: readonly string[]; readonly translation: Translation; readonly names: FindKept },
): Segment[] {
  const origins = originsOf(original.segments, original.language);
  const pieces = new Map<number, string[]>([...places].map((place) => [place, []]));
  sentences.forEach(({ parts }, nth) => {
    const text = itemAt(texts, nth);
    const unbreakable = names(text).map(({ start, end }) => text.slice(start, end));
    const shares = divideSentence(
      text,
      parts.map((part) => part.text.length),
      unbreakable,
      language,
    );
    parts.forEach(({ segment }, at) => {
      if (shares[at] !== '') pieces.get(segment)?.push(itemAt(shares, at));
    });
  });
  return [...places]
    .toSorted((one, other) => one - other)
    .flatMap((place): Segment[] => {
      const { segment_id, start_ms, end_ms, speaker, speaker_id, timing } = itemAt(original.segments, place);
      const text = joinTexts(defined(pieces.get(place)));
      if (text === '') return [];
      const translated: Segment = {
        segment_id: translatedSegmentId(transcription_id, segment_id, created_at),
        original_segment_id: segment_id,
        start_ms,
        end_ms,
        text,
        speaker,
        speaker_id,
        confidence: null,
        words: [],
        // If an original has set times, its translation has set times too.
        ...(timing !== undefined && { timing }),
      };
      return [recordOrigin(translated, defined(origins.get(segment_id)))];
    });
}

/**
 * Merges new segments into a translation.
 *
 * If a person corrected a segment, even after planning, its text changes only if the request lists the segment. Its
 * times and speaker are updated if the request lists it or asks for all segments.
 *
 * The translation of a deleted segment is removed if the request lists that segment. If no person corrected the
 * translation, it is also removed in two more cases: the request asks for all segments, or new speech overlaps its
 * time.
 */
export function withRetranslated(
  before: readonly Segment[],
  { segments }: Original,
  { places, named }: Plan,
  fresh: readonly Segment[],
): Segment[] {
  const originals = new Map(segments.map((segment) => [segment.segment_id, segment]));
  const isMade = new Set([...places].map((place) => itemAt(segments, place).segment_id));
  const isNamed = (id: string) => named?.has(id) ?? false;
  const corrected = before.filter(isCorrected);
  const heldBack = new Set(
    corrected.flatMap(({ original_segment_id: id }) => (id === null || isNamed(id) ? [] : [id])),
  );
  const known = new Set(before.map(({ original_segment_id: id }) => id));
  const kept = before.flatMap((segment): Segment[] => {
    const { original_segment_id: id } = segment;
    if (id === null) return [segment];
    const original = originals.get(id);
    if (original === undefined) {
      if (isNamed(id)) return [];
      const isReplaced = named === null || fresh.some((other) => overlap(segment, other));
      return isReplaced && !isCorrected(segment) ? [] : [segment];
    }
    if (isMade.has(id) && !heldBack.has(id)) return [];
    const isAskedFor = named === null || isNamed(id);
    return [isAskedFor ? followOriginal(segment, original) : segment];
  });
  // True if a person merged the segment into another: the other covers it, but the other's original does not.
  const isJoined = (segment: Segment) =>
    corrected.some((other) => {
      const original = originals.get(other.original_segment_id ?? '');
      return covers(other, segment) && !(original !== undefined && covers(original, segment));
    });
  const added = fresh.filter((segment) => {
    const id = defined(segment.original_segment_id);
    return !heldBack.has(id) && (known.has(id) || isNamed(id) || !isJoined(segment));
  });
  return [...kept, ...added].toSorted((one, other) => one.start_ms - other.start_ms);
}

/** Whether any segment of a translation differs from its current original. */
export function hasStale(translated: readonly Segment[], { segments, language }: Original): boolean {
  return isAnyStale(translated, originsOf(segments, language));
}

const overlap = (one: Span, other: Span) => one.start_ms < other.end_ms && other.start_ms < one.end_ms;

const covers = (one: Span, other: Span) => one.start_ms <= other.start_ms && other.end_ms <= one.end_ms;
