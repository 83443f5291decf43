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

/**
 * By segment, a fingerprint of all that its translation is made of: the sentences that it has a part in, its times and its
 * speaker. @param language BCP 47 tag of the text
 */
export function originsOf(segments: readonly Segment[], language: string | undefined): Map<string, string> {
  const sentencesOf: string[][] = segments.map(() => []);
  for (const { parts } of writtenSentences(segments, language)) {
    const texts = parts.map(({ text }) => text);
    for (const [at, { segment }] of parts.entries()) {
      sentencesOf[segment]!.push(JSON.stringify([at, texts]));
    }
  }
  return new Map(
    segments.map(({ segment_id, start_ms, end_ms, speaker, speaker_id }, at) => {
      const made = JSON.stringify([sentencesOf[at], start_ms, end_ms, speaker_id ?? speaker]);
      return [segment_id, createHash('sha256').update(made).digest('hex').slice(0, 24)];
    }),
  );
}

/** Whether a segment was translated from something else than its original is now. One that a person added knows no origin. */
export const isStale = (
  { made_of, original_segment_id }: Segment,
  origins: ReadonlyMap<string, string>,
): boolean =>
  made_of !== undefined && original_segment_id !== null && origins.get(original_segment_id) !== made_of;

/** The segments of a translation, those marked whose original changed since. */
export const withStale = (
  segments: readonly Segment[],
  origins: ReadonlyMap<string, string>,
): (Segment & { stale?: true })[] =>
  segments.map((segment) => (isStale(segment, origins) ? { ...segment, stale: true } : segment));
