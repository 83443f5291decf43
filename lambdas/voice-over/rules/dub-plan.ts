/** What is spoken in a language: a piece for each segment, with all that its speech depends on. */
import { createHash } from 'node:crypto';
import { isSpeakable } from '../../../engines/speech/speakable-text.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { Interval } from '../../../shared/sound.ts';
import type { VoiceOverConfig } from './voice-over-job.ts';

export interface PlannedPiece {
  readonly segment_id: string;
  readonly original_segment_id: string | null;
  readonly start_ms: number;
  readonly slot_ms: number;
  /** Silence behind the slot: until the next segment, or the end of the media. */
  readonly room_ms: number;
  readonly text: string;
  readonly voice: string;
  /** A fingerprint of all that its speech depends on: the name under which that is kept. */
  readonly name: string;
}

export interface DubPlan {
  /** BCP 47. */
  readonly language: string;
  readonly transcription_id: string;
  readonly transcription_version: number;
  readonly config: VoiceOverConfig;
  /** Voices that were cloned for this job, as their engine names them, by the names that pieces have for them. */
  readonly cloned: Readonly<Record<string, string>>;
  readonly duration_ms: number;
  /** When the original is spoken, in order, apart. */
  readonly spoken: readonly Interval[];
  readonly pieces: readonly PlannedPiece[];
}

/** What all pieces of a language have in common. */
export interface Speaking {
  /** Name of the engine. */
  readonly engine: string;
  readonly language: string;
  /** Rises when the same pieces are fitted in another way. */
  readonly fitting: number;
  readonly duration_ms: number;
}

/** The speaker of a segment, as voices are given to them. */
export const speakerOf = ({ speaker_id, speaker }: Pick<Segment, 'speaker_id' | 'speaker'>): string | null =>
  speaker_id ?? speaker;

/** What a piece calls the cloned voice of its speaker: the same in every job, whatever the engine calls it. */
export const cloneOf = (speaker: string | null): string => `clone of ${speaker ?? 'nobody in particular'}`;

/** "[applause]" and the like: what viewers read and nobody says. */
const SOUNDS = /\[[^[\]]*\]/gu;

const saidIn = (text: string): string => text.replace(SOUNDS, ' ').trim();

/** In the order of their times; a segment in which there is nothing to say has none. */
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

/** Stretches that overlap or touch are one. */
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
