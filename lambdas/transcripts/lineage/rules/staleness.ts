/** Compares translated segments with the originals that they were made from. */
import { createHash } from 'node:crypto';
import { itemAt } from '../../../../shared/checked-access.ts';
import { namedId } from '../../../../shared/derived-ids.ts';
import type { MadeOf, Place, Segment } from '../../../../shared/segments.ts';
import { writtenSentences } from './written-sentences.ts';

/**
 * The id of the translation of a transcription into a language. It depends only on the transcription and the language,
 * and sorts after the id of the transcription.
 */
export function translationIdOf(transcriptionId: string, languageId: string): string {
  const milliseconds = Number.parseInt(transcriptionId.replace('-', '').slice(0, 12), 16);
  return namedId(new Date(milliseconds + 1), `${transcriptionId}#${languageId}`);
}

/** The id of a translated segment. It depends only on the translation and the original segment. */
export const translatedSegmentId = (translationId: string, originalId: string, createdAt: string): string =>
  namedId(new Date(createdAt), `${translationId}#${originalId}`);

/** The parts of an original segment that its translations depend on. */
export type Origin = Readonly<Pick<MadeOf, 'sentences' | 'place'>>;

/** The origins by segment id. @param language BCP 47 tag of the text */
export function originsOf(segments: readonly Segment[], language: string | undefined): Map<string, Origin> {
  const sentencesOf: string[][] = segments.map(() => []);
  for (const { parts } of writtenSentences(segments, language)) {
    const texts = parts.map(({ text }) => text);
    for (const [at, { segment }] of parts.entries()) {
      itemAt(sentencesOf, segment).push(JSON.stringify([at, texts]));
    }
  }
  return new Map(
    segments.map((segment, at) => [
      segment.segment_id,
      { sentences: fingerprint(sentencesOf[at]), place: placeOf(segment) },
    ]),
  );
}

export const recordOrigin = (segment: Segment, origin: Origin): Segment => ({
  ...segment,
  made_of: { ...origin, result: resultOf(segment) },
});

/** The change of the original: of its sentences (`text`), of its times or speaker (`placement`), or its deletion. */
export type StaleReason = 'text' | 'placement' | 'deleted';

/**
 * The reason why a translated segment is stale. Null if it is current. A segment that a person added has no origin and
 * is never stale.
 */
export function staleness(segment: Segment, origins: ReadonlyMap<string, Origin>): StaleReason | null {
  const { made_of, original_segment_id: id, joined = [] } = segment;
  const isJoinedChanged = joined.some(
    (one) => one.sentences !== null && origins.get(one.original_segment_id)?.sentences !== one.sentences,
  );
  if (made_of === undefined || id === null) return isJoinedChanged ? 'text' : null;
  const origin = origins.get(id);
  if (origin === undefined) return 'deleted';
  if (origin.sentences !== made_of.sentences || isJoinedChanged) return 'text';
  const isPlaced = areSame(origin.place, made_of.place) || areSame(origin.place, placeOf(segment));
  return isPlaced ? null : 'placement';
}

export const isAnyStale = (segments: readonly Segment[], origins: ReadonlyMap<string, Origin>): boolean =>
  segments.some((segment) => staleness(segment, origins) !== null);

export const withStale = (
  segments: readonly Segment[],
  origins: ReadonlyMap<string, Origin>,
): (Segment & { stale?: true; stale_reason?: StaleReason })[] =>
  segments.map((segment) => {
    const reason = staleness(segment, origins);
    return reason === null ? segment : { ...segment, stale: true, stale_reason: reason };
  });

/**
 * Whether a person added or changed a translated segment, so that it differs from the engine's result. Changes are new
 * texts, new times, cuts and confirmations.
 */
export const isCorrected = (segment: Segment): boolean => segment.made_of?.result !== resultOf(segment);

/**
 * Confirms the segments that a person edited. These segments count as current translations and as a person's work. A
 * segment whose original was deleted loses its origin.
 * @param origins null if the whole translation is current
 */
export const confirmEdited = (
  segments: readonly Segment[],
  ids: ReadonlySet<string>,
  origins: ReadonlyMap<string, Origin> | null,
): Segment[] =>
  segments.map((segment) => {
    const { made_of, joined, ...own } = segment;
    const { original_segment_id: id, segment_id } = own;
    if (!ids.has(segment_id)) return segment;
    const covered = joined?.flatMap((one) => {
      const sentences = origins === null ? one.sentences : origins.get(one.original_segment_id)?.sentences;
      return sentences === undefined ? [] : [{ ...one, sentences }];
    });
    const others = covered?.length ? { ...own, joined: covered } : own;
    if (made_of === undefined || id === null) return others;
    const { sentences, place } = made_of;
    const origin = origins === null ? { sentences, place } : origins.get(id);
    return origin === undefined ? others : { ...others, made_of: origin };
  });

/**
 * Applies changes of an original's times and speaker to its translated segment. A person may have changed the times of
 * the translated segment. A time within the original keeps its relative position. A time before the original's start
 * keeps its distance from that start. A time after the original's end (after a merge, for example) moves only if the
 * new end is later.
 */
export function followOriginal(segment: Segment, original: Segment): Segment {
  const { made_of } = segment;
  const place = placeOf(original);
  if (made_of === undefined || areSame(place, made_of.place)) return segment;
  const old = made_of.place;
  const scale = (place.end_ms - place.start_ms) / Math.max(old.end_ms - old.start_ms, 1);
  const at = (ms: number) => {
    if (ms < old.start_ms) return Math.max(0, ms + place.start_ms - old.start_ms);
    if (ms > old.end_ms) return Math.max(ms, place.end_ms);
    return place.start_ms + Math.round((ms - old.start_ms) * scale);
  };
  const start_ms = at(segment.start_ms);
  const end_ms = Math.max(at(segment.end_ms), start_ms + 1);
  const { speaker, speaker_id, timing = segment.timing } = original;
  const placed = {
    ...{ ...segment, start_ms, end_ms },
    ...(place.speaker !== old.speaker && { speaker, speaker_id }),
    ...(timing !== undefined && { timing }),
  };
  const result = isCorrected(segment) ? {} : { result: resultOf(placed) };
  return { ...placed, made_of: { ...made_of, place, ...result } };
}

const placeOf = ({ start_ms, end_ms, speaker, speaker_id }: Segment): Place => {
  return { start_ms, end_ms, speaker: speaker_id ?? speaker };
};

const areSame = (one: Place, other: Place): boolean =>
  one.start_ms === other.start_ms && one.end_ms === other.end_ms && one.speaker === other.speaker;

const resultOf = ({ text, start_ms, end_ms }: Segment): string => fingerprint([text, start_ms, end_ms]);

const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
