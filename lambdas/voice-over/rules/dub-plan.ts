/** The plan of a voice over. It has a piece for each segment, with everything that the speech of the piece depends on. */
import { createHash } from 'node:crypto';
import { isSpeakable } from '../../../engines/speech/speakable-text.ts';
import type { Missing, Segment } from '../../../shared/segments.ts';
import type { Interval } from '../../../shared/sound.ts';
import type { VoiceOverConfig } from './voice-over-job.ts';

export interface PlannedPiece {
  readonly segment_id: string;
  readonly original_segment_id: string | null;
  readonly start_ms: number;
  readonly slot_ms: number;
  /** The duration of the silence after the slot: until the next segment, or the end of the media. */
  readonly room_ms: number;
  readonly text: string;
  readonly voice: string;
  /** A fingerprint of everything that the speech of the piece depends on. The stored speech has this name. */
  readonly name: string;
}

export interface DubPlan {
  /** BCP 47. */
  readonly language: string;
  readonly transcription_id: string;
  readonly transcription_version: number;
  readonly config: VoiceOverConfig;
  /** The voices that were cloned for this job: the engine's id for each name that pieces use. */
  readonly cloned: Readonly<Record<string, string>>;
  readonly duration_ms: number;
  /** The times of speech in the original, in order, without overlap. */
  readonly spoken: readonly Interval[];
  readonly pieces: readonly PlannedPiece[];
  /** The originals that are not spoken, because the translation lacks them. */
  readonly missing: readonly Missing[];
}

export interface Speaking {
  readonly engine: string;
  readonly language: string;
  /** Increases when the service fits the same pieces differently. */
  readonly fitting: number;
  readonly duration_ms: number;
}

export const speakerOf = ({ speaker_id, speaker }: Pick<Segment, 'speaker_id' | 'speaker'>): string | null =>
  speaker_id ?? speaker;

/** The name that pieces use for the cloned voice of their speaker. It is the same in every job, unlike the engine's id. */
export const cloneOf = (speaker: string | null): string => `clone of ${speaker ?? 'nobody in particular'}`;

/** Matches sound descriptions such as "[applause]", which are not spoken. */
const SOUNDS = /\[[^[\]]*\]/gu;

const saidIn = (text: string): string => text.replace(SOUNDS, ' ').trim();

/** The pieces, ordered by time. A segment without words to speak has no piece. */
export function piecesOf(
  segments: readonly Segment[],
  voiceOf: (speaker: string | null) => string,
  { engine, language, fitting, duration_ms }: Speaking,
): PlannedPiece[] {
  const said = segments
    .map((segment) => ({ ...segment, text: saidIn(segment.text) }))
    .filter(({ text, start_ms, end_ms }) => isSpeakable(text) && end_ms > start_ms && start_ms < duration_ms)
    .toSorted((one, other) => one.start_ms - other.start_ms);
  return said.map((segment, at) => {
    const { segment_id, original_segment_id, start_ms, text } = segment;
    const end_ms = Math.min(segment.end_ms, duration_ms);
    const slot_ms = end_ms - start_ms;
    const room_ms = Math.max(0, (said[at + 1]?.start_ms ?? duration_ms) - end_ms);
    const voice = voiceOf(speakerOf(segment));
    const name = fingerprint([engine, language, fitting, voice, text, slot_ms, room_ms]);
    return { segment_id, original_segment_id, start_ms, slot_ms, room_ms, text, voice, name };
  });
}

/** Joins spans that overlap or touch. */
export function spokenIn(segments: readonly Pick<Segment, 'start_ms' | 'end_ms'>[]): Interval[] {
  const all: Interval[] = [];
  for (const { start_ms, end_ms } of segments.toSorted((one, other) => one.start_ms - other.start_ms)) {
    const before = all.at(-1);
    if (before === undefined || start_ms > before.end_ms) all.push({ start_ms, end_ms });
    else before.end_ms = Math.max(before.end_ms, end_ms);
  }
  return all;
}

const fingerprint = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 40);
