/** From original segments to what is asked of an engine, and from its sentences to translated segments. */
import type { Segment } from '../../../platform/shared/segments.ts';
import { isStale, originsOf, translatedSegmentId } from '../../transcripts/rules/lineage.ts';
import { joined, type WrittenSentence, writtenSentences } from '../../transcripts/rules/written-sentences.ts';
import { fitted } from './fitting.ts';
import type { FindKept } from './kept-words.ts';

export interface Original {
  readonly segments: readonly Segment[];
  /** BCP 47 tag of its text. */
  readonly language: string;
}

/** What is to be translated, and for which segments. */
export interface Plan {
  readonly sentences: readonly WrittenSentence[];
  /** Places of the original segments whose translations are made. */
  readonly places: ReadonlySet<number>;
}

/** A translation and those who made it. */
export interface Translation {
  readonly transcription_id: string;
  readonly created_at: string;
  /** BCP 47 tag of its text. */
  readonly language: string;
}

/** @param chosen ids of original segments; null chooses all */
export function planned({ segments, language }: Original, chosen: ReadonlySet<string> | null): Plan {
  const all = writtenSentences(segments, language);
  if (chosen === null) return { sentences: all, places: new Set(segments.keys()) };
  const isChosen = ({ parts }: WrittenSentence) =>
    parts.some(({ segment }) => chosen.has(segments[segment]!.segment_id));
  const places = new Set(all.filter(isChosen).flatMap(({ parts }) => parts.map(({ segment }) => segment)));
  // Of sentences that share a segment with those, the part in it is needed again; their other parts stay.
  const sentences = all.filter(({ parts }) => parts.some(({ segment }) => places.has(segment)));
  return { sentences, places };
}

/**
 * The chosen segments, and those beside them that are stale: an edit may have ended a sentence that ran on into them.
 * @param chosen ids of original segments
 * @param translated the segments of the translation as it is
 */
export function withDependents(
  { segments, language }: Original,
  chosen: ReadonlySet<string>,
  translated: readonly Segment[],
): Set<string> {
  const origins = originsOf(segments, language);
  const stale = new Set(
    translated
      .filter((segment) => isStale(segment, origins))
      .map(({ original_segment_id }) => original_segment_id),
  );
  const ids = segments.map(({ segment_id }) => segment_id);
  const all = new Set(chosen);
  const spread = (order: readonly string[]) =>
    order.forEach((id, at) => {
      if (at > 0 && stale.has(id) && all.has(order[at - 1]!)) all.add(id);
    });
  spread(ids);
  spread(ids.toReversed());
  return all;
}

/**
 * The translated segments of the plan's places. One is left out for which the sentence has no word left.
 * @param texts the plan's sentences, translated
 */
export function translatedSegments(
  original: Original,
  { sentences, places }: Plan,
  texts: readonly string[],
  { transcription_id, created_at, language }: Translation,
  names: FindKept,
): Segment[] {
  const origins = originsOf(original.segments, original.language);
  const pieces = new Map<number, string[]>([...places].map((place) => [place, []]));
  sentences.forEach(({ parts }, nth) => {
    const text = texts[nth]!;
    const unbreakable = names(text).map(({ start, end }) => text.slice(start, end));
    const shares = fitted(
      text,
      parts.map((part) => part.text.length),
      unbreakable,
      language,
    );
    parts.forEach(({ segment }, at) => {
      if (shares[at] !== '') pieces.get(segment)?.push(shares[at]!);
    });
  });
  return [...places]
    .toSorted((one, other) => one - other)
    .flatMap((place): Segment[] => {
      const { segment_id, start_ms, end_ms, speaker, speaker_id, timing } = original.segments[place]!;
      const text = joined(pieces.get(place)!);
      if (text === '') return [];
      return [
        {
          segment_id: translatedSegmentId(transcription_id, segment_id, created_at),
          original_segment_id: segment_id,
          start_ms,
          end_ms,
          text,
          speaker,
          speaker_id,
          confidence: null,
          words: [],
          made_of: origins.get(segment_id)!,
          // Times that somebody set are those of its translations.
          ...(timing !== undefined && { timing }),
        },
      ];
    });
}

/**
 * A translation in which the segments of the plan's places are replaced. All others stay as they are, but for those whose
 * original is gone: where all is translated anew, or something else is said in their time now.
 */
export function withRetranslated(
  before: readonly Segment[],
  { segments }: Original,
  { places }: Plan,
  fresh: readonly Segment[],
): Segment[] {
  const known = new Set(segments.map(({ segment_id }) => segment_id));
  const redone = new Set([...places].map((place) => segments[place]!.segment_id));
  const isWhole = places.size === segments.length;
  const isKept = (segment: Segment) => {
    const { original_segment_id: id } = segment;
    if (id === null) return true;
    if (redone.has(id) || isWhole) return false;
    return known.has(id) || !fresh.some((other) => overlap(segment, other));
  };
  return [...before.filter(isKept), ...fresh].toSorted((one, other) => one.start_ms - other.start_ms);
}

/** Whether any segment of a translation came of something else than its original is now. */
export function hasStale(translated: readonly Segment[], { segments, language }: Original): boolean {
  const origins = originsOf(segments, language);
  return translated.some((segment) => isStale(segment, origins));
}

const overlap = (one: Segment, other: Segment) => one.start_ms < other.end_ms && other.start_ms < one.end_ms;
