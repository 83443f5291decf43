/** What translated segments came of, and whether that is still what it was. */
import { createHash } from 'node:crypto';
import { namedId } from '../../../platform/shared/derived-ids.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import { writtenSentences } from './written-sentences.ts';

/**
 * The id of the translation of a transcription into a language: the same, however often it is translated, and after that of
 * the original in lists by id.
 */
export function translationIdOf(transcriptionId: string, languageId: string): string {
  const milliseconds = Number.parseInt(transcriptionId.replace('-', '').slice(0, 12), 16);
  return namedId(new Date(milliseconds + 1), `${transcriptionId}#${languageId}`);
}

/** The id of a translated segment: that of its original and of the translation decide. */
export const translatedSegmentId = (translationId: string, originalId: string, createdAt: string): string =>
  namedId(new Date(createdAt), `${translationId}#${originalId}`);

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** What a segment of an original is to its translations, as fingerprints. */
export interface Origin {
  /** Of the sentences that it has a part in, as they are divided among segments. */
  readonly sentences: string;
  /** Of its times and its speaker. */
  readonly place: string;
}

/** By segment. @param language BCP 47 tag of the text */
export function originsOf(segments: readonly Segment[], language: string | undefined): Map<string, Origin> {
  const sentencesOf: string[][] = segments.map(() => []);
  for (const { parts } of writtenSentences(segments, language)) {
    const texts = parts.map(({ text }) => text);
    for (const [at, { segment }] of parts.entries()) {
      sentencesOf[segment]!.push(JSON.stringify([at, texts]));
    }
  }
  return new Map(
    segments.map((segment, at) => [
      segment.segment_id,
      { sentences: fingerprint(sentencesOf[at]), place: placeOf(segment) },
    ]),
  );
}

/** A segment as an engine translated it, with what that is known by. */
export const asMade = (segment: Segment, origin: Origin): Segment => ({
  ...segment,
  made_of: { ...origin, result: resultOf(segment) },
});

/** What became of the original: other sentences, other times or another speaker, or nothing is left of it. */
export type StaleReason = 'text' | 'placement' | 'deleted';

/** Why a translated segment is not what its original asks for; null where it is. One that a person added knows no origin. */
export function staleness(segment: Segment, origins: ReadonlyMap<string, Origin>): StaleReason | null {
  const { made_of, original_segment_id: id } = segment;
  if (made_of === undefined || id === null) return null;
  const origin = origins.get(id);
  if (origin === undefined) return 'deleted';
  if (origin.sentences !== made_of.sentences) return 'text';
  return origin.place === made_of.place || origin.place === placeOf(segment) ? null : 'placement';
}

export const isAnyStale = (segments: readonly Segment[], origins: ReadonlyMap<string, Origin>): boolean =>
  segments.some((segment) => staleness(segment, origins) !== null);

/** The segments of a translation, those marked whose original changed since. */
export const withStale = (
  segments: readonly Segment[],
  origins: ReadonlyMap<string, Origin>,
): (Segment & { stale?: true; stale_reason?: StaleReason })[] =>
  segments.map((segment) => {
    const reason = staleness(segment, origins);
    return reason === null ? segment : { ...segment, stale: true, stale_reason: reason };
  });

/** Whether a person added, wrote, moved, cut or confirmed a translated segment: it is not as an engine made it. */
export const isCorrected = (segment: Segment): boolean => segment.made_of?.result !== resultOf(segment);

/**
 * The segments of a translation after a person edited those of the ids, who thereby says that they are right: they are what
 * their originals ask for, and no engine's. One whose original is gone is that person's own.
 * @param origins null where all of the translation came of its original as that is
 */
export const settled = (
  segments: readonly Segment[],
  ids: ReadonlySet<string>,
  origins: ReadonlyMap<string, Origin> | null,
): Segment[] =>
  segments.map((segment) => {
    const { made_of, ...own } = segment;
    const { original_segment_id: id, segment_id } = own;
    if (made_of === undefined || id === null || !ids.has(segment_id)) return segment;
    const { sentences, place } = made_of;
    const origin = origins === null ? { sentences, place } : origins.get(id);
    return origin === undefined ? own : { ...own, made_of: origin };
  });

/**
 * A translated segment with the times and the speaker that its original has now; where it is a part of a translation that was
 * cut, with its part of the times.
 * @param whole from where to where the translation of the original is
 */
export function placedAs(segment: Segment, original: Segment, whole: Span): Segment {
  const { speaker, speaker_id, timing } = original;
  const scale = (original.end_ms - original.start_ms) / Math.max(whole.end_ms - whole.start_ms, 1);
  const at = (ms: number) => original.start_ms + Math.round((ms - whole.start_ms) * scale);
  const start_ms = Math.min(at(segment.start_ms), original.end_ms - 1);
  const end_ms = Math.max(at(segment.end_ms), start_ms + 1);
  const { timing: _, ...rest } = segment;
  const placed = { ...rest, start_ms, end_ms, speaker, speaker_id, ...(timing !== undefined && { timing }) };
  const { made_of } = segment;
  if (made_of === undefined) return placed;
  const result = isCorrected(segment) ? {} : { result: resultOf(placed) };
  return { ...placed, made_of: { ...made_of, place: placeOf(original), ...result } };
}

const placeOf = ({
  start_ms,
  end_ms,
  speaker,
  speaker_id,
}: Pick<Segment, 'start_ms' | 'end_ms' | 'speaker' | 'speaker_id'>): string =>
  fingerprint([start_ms, end_ms, speaker_id ?? speaker]);

const resultOf = ({ text, start_ms, end_ms }: Segment): string => fingerprint([text, start_ms, end_ms]);

const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
