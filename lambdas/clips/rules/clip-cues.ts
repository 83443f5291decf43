/** The subtitles of a clip, with times relative to its start. */
import { defined } from '../../../shared/checked-access.ts';
import type { Segment, Word } from '../../../shared/segments.ts';
import type { Cue } from '../../subtitles/rules/cue.ts';
import { cuesFromSegments } from '../../subtitles/rules/make-cues.ts';
import { splitSegment } from '../../transcripts/segments/rules/cut-segments.ts';

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface ClipSource {
  readonly segments: readonly Segment[];
  readonly sounds: readonly (Span & { readonly text: string })[];
  /** BCP 47 tag of the segments' language. */
  readonly language?: string | undefined;
}

/** If the clip begins or ends within a sentence, only the words within the clip are shown. */
export function cuesOfClip({ segments, sounds, language }: ClipSource, clip: Span): Cue[] {
  const length = clip.end_ms - clip.start_ms;
  const soundDescriptions = sounds
    .filter((sound) => isWithin(sound, clip))
    .map((sound) => ({ ...shifted(sound, clip), text: sound.text }));
  return cuesFromSegments(segmentsOfClip(segments, clip), {
    mediaDurationMs: length,
    soundDescriptions,
    language,
  });
}

function segmentsOfClip(segments: readonly Segment[], clip: Span): Segment[] {
  return segments
    .filter((segment) => isWithin(segment, clip))
    .flatMap((segment) => fromOn(segment, clip.start_ms))
    .flatMap((segment) => upTo(segment, clip.end_ms))
    .map((segment) => ({
      ...segment,
      ...shifted(segment, clip),
      words: segment.words.map((word): Word => ({ ...word, ...shifted(word, clip) })),
    }));
}

const isWithin = (one: Span, clip: Span): boolean => one.start_ms < clip.end_ms && one.end_ms > clip.start_ms;

const fromOn = (segment: Segment, time_ms: number): Segment[] =>
  segment.start_ms >= time_ms ? [segment] : partOf(segment, time_ms, 1);

const upTo = (segment: Segment, time_ms: number): Segment[] =>
  segment.end_ms <= time_ms ? [segment] : partOf(segment, time_ms, 0);

/** The part before (0) or after (1) a time. A segment that cannot be cut belongs to the longer side. */
function partOf(segment: Segment, time_ms: number, side: 0 | 1): Segment[] {
  const { segment_id, timing } = segment;
  try {
    const part = defined(splitSegment([segment], segment_id, { time_ms }, segment_id)[side]);
    // `splitSegment` marks the times as set by a user. Here no user set them.
    const { timing: _, ...automatic } = part;
    return [timing === undefined ? automatic : { ...automatic, timing }];
  } catch {
    const isBefore = segment.start_ms + segment.end_ms < 2 * time_ms;
    return isBefore === (side === 0) ? [segment] : [];
  }
}

function shifted({ start_ms, end_ms }: Span, clip: Span): Span {
  const within = (time: number) => Math.min(Math.max(time, clip.start_ms), clip.end_ms) - clip.start_ms;
  return { start_ms: within(start_ms), end_ms: within(end_ms) };
}
