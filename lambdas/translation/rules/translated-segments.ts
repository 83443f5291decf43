/** Plans the sentences for an engine, and makes translated segments of the results. */
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { Covered, Missing, Segment } from '../../../shared/segments.ts';
import { type Content, idsOf, missingFrom, type Originals } from '../../transcripts/lineage/rules/missing.ts';
import {
  followOriginal,
  isCorrected,
  type Origin,
  originsOf,
  recordOrigin,
  type StaleReason,
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
  /** Ids of original segments that the request lists, and those merged into them. Null if it asks for all segments. */
  readonly named: ReadonlySet<string> | null;
}

export interface Translation {
  readonly transcription_id: string;
  readonly created_at: string;
  /** BCP 47 tag of the text. */
  readonly language: string;
}

/**
 * Plans the translation of the requested segments. The plan also has the segments that share a sentence with a requested
 * one, unless a person corrected them. A requested segment needs no engine if only its times or speaker changed.
 *
 * If the translation of a requested segment is replaced or removed, the plan also has the untranslated originals in its
 * time, because the segment may have been cut, merged or replaced.
 * @param asked ids of original segments, which may have been deleted. Null means all segments.
 * @param before the current translation
 */
export function planTranslation(
  { segments, language }: Original,
  asked: ReadonlySet<string> | null,
  before: Content,
): Plan {
  const all = writtenSentences(segments, language);
  const idOf = (place: number) => itemAt(segments, place).segment_id;
  const corrected = idsOf(before.segments.filter(isCorrected));
  if (asked === null) {
    const places = [...segments.keys()].filter((place) => !corrected.has(idOf(place)));
    return { named: null, ...asking(all, new Set(places)) };
  }
  const origins = originsOf(segments, language);
  const reasons = reasonsOf(before.segments, origins);
  const named = withJoined(asked, before.segments, reasons);
  const isNamed = (id: string | null) => id !== null && named.has(id) && reasons.get(id) !== 'placement';
  const [leaving = [], staying = []] = [true, false].map((isLeaving) =>
    before.segments.filter(({ original_segment_id }) => isNamed(original_segment_id) === isLeaving),
  );
  const holes = missingFrom({ ...before, segments: staying }, origins);
  const isMissing = idsIn(holes);
  const wanted = idsIn(
    holes.filter((hole) =>
      leaving.some((segment) =>
        [segment, segment.made_of?.place].some((span) => span && overlap(span, hole)),
      ),
    ),
  );
  const isAsked = (place: number) => wanted.has(idOf(place)) || isNamed(idOf(place));
  // If a person deleted the translation of a segment, only a new text or the request restores it.
  const isMade = (place: number) => {
    const id = idOf(place);
    return isAsked(place) || isMissing.has(id) || (reasons.has(id) && !corrected.has(id));
  };
  const places = all.flatMap(({ parts }) => {
    const own = parts.map(({ segment }) => segment);
    return own.some(isAsked) ? own.filter(isMade) : [];
  });
  return { named, ...asking(all, new Set(places)) };
}

/** Adds the originals whose translations a person merged with that of a named original. */
function withJoined(
  asked: ReadonlySet<string>,
  segments: readonly Segment[],
  reasons: ReturnType<typeof reasonsOf>,
): Set<string> {
  const named = new Set(asked);
  // The loop also visits the ids that it adds.
  for (const id of named) {
    if (reasons.get(id) === 'placement') continue;
    for (const segment of segments)
      if (segment.original_segment_id === id) for (const one of idsOf([segment])) named.add(one);
  }
  return named;
}

const idsIn = (all: readonly Missing[]) => new Set(all.map(({ original_segment_id }) => original_segment_id));

/** The sentences with a part in one of the segments. The engine needs whole sentences. */
const asking = (all: readonly WrittenSentence[], places: ReadonlySet<number>) => ({
  places,
  sentences: all.filter(({ parts }) => parts.some(({ segment }) => places.has(segment))),
});

export const charactersOf = ({ sentences }: Pick<Plan, 'sentences'>): number =>
  sentences.reduce((sum, { text }) => sum + text.length, 0);

/** Why each translation is stale, by id of its original; null if it is current. A cut translation has several parts. */
function reasonsOf(translated: readonly Segment[], origins: ReadonlyMap<string, Origin>) {
  const reasons = new Map<string, StaleReason | null>();
  for (const segment of translated) {
    const reason = staleness(segment, origins);
    for (const id of idsOf([segment])) if (!reasons.get(id) || reason === 'text') reasons.set(id, reason);
  }
  return reasons;
}

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
  const isHeld = new Set(
    before.filter(isCorrected).flatMap(({ original_segment_id: id }) => (id && !isNamed(id) ? [id] : [])),
  );
  const kept = before.flatMap((segment): Segment[] => {
    const { original_segment_id: id } = segment;
    if (id === null) return [segment];
    const original = originals.get(id);
    if (original === undefined) {
      if (isNamed(id)) return [];
      const isReplaced = named === null || fresh.some((other) => overlap(segment, other));
      return isReplaced && !isCorrected(segment) ? [] : [segment];
    }
    if (isMade.has(id) && !isHeld.has(id)) return [];
    const isAskedFor = named === null || isNamed(id);
    return [isAskedFor ? followOriginal(segment, original) : segment];
  });
  // A person can have merged the translation of a segment into another, which then covers it.
  const covered = idsOf(kept);
  const added = fresh.filter((segment) => {
    const id = defined(segment.original_segment_id);
    return isNamed(id) || !covered.has(id);
  });
  return [...kept, ...added].toSorted((one, other) => one.start_ms - other.start_ms);
}

/** The originals that a translation leaves out after a job: those before, and those for which the engine left no words. */
export function omittedAfter(
  { omitted = [] }: Content,
  { segments, language }: Original,
  { places }: Plan,
  after: readonly Segment[],
): Covered[] {
  const covered = idsOf(after);
  const made = new Set([...places].map((place) => itemAt(segments, place).segment_id));
  const left = new Map(omitted.map((one) => [one.original_segment_id, one]));
  return [...originsOf(segments, language)].flatMap(([id, { sentences }]) => {
    if (covered.has(id)) return [];
    if (made.has(id)) return [{ original_segment_id: id, sentences }];
    return left.get(id) ?? [];
  });
}

/** The originals of a translation job. */
export function originalsOf({ segments, language }: Original): Originals {
  const origins = originsOf(segments, language);
  return { origins, needed: origins };
}

const overlap = (one: Span, other: Span) => one.start_ms < other.end_ms && other.start_ms < one.end_ms;
