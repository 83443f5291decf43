/** Analyzes 16 kHz mono PCM as it arrives. Returns the speech, music, noise and silence at the end. */
import type { Interval, Sound, SoundEvent, SoundMap } from '../../shared/sound.ts';
import type { Span } from './find-heard-spans.ts';
import { findSounds, type HeardSounds } from './find-sounds.ts';
import { createFrameMeasures, type FrameMeasures } from './frame-measures.ts';
import { HOP_MS, SAMPLE_RATE } from './spectrum.ts';

export type Heard = Pick<SoundMap, 'duration_ms' | 'sounds' | 'utterances' | 'pauses' | 'events'>;

/** Finds sound events besides speech. Must not keep `facts` after it returns, because they need much memory. */
export type FindEvents = (facts: FrameMeasures, heard: HeardSounds) => SoundEvent[];

export type SoundListener = {
  /** Receives samples in chunks of any length. The samples are not kept. */
  push(samples: Int16Array): void;
  /** Returns the result after all samples. Yields the progress, 0 to 1. An hour of sound takes 4 s of processor time. */
  end(findEvents?: FindEvents): Generator<number, Heard>;
};

/** The distance of the border between two frames from the start of the second one. A frame stands for its middle, 12 ms after its start. */
export const BORDER_MS = 8;

/** Needs 4 MB of memory for an hour of sound (11 bytes for each 10 ms), and about 40 MB for a short time at the end. */
export function createSoundListener(): SoundListener {
  const facts = createFrameMeasures();
  let count = 0;
  return {
    push(samples) {
      count += samples.length;
      facts.push(samples);
    },
    *end(findEvents) {
      const duration_ms = Math.floor(count / (SAMPLE_RATE / 1000));
      const known = facts.facts();
      const level = known.column('level');
      const interval = ({ from, to }: Span): Interval => ({
        start_ms: from === 0 ? 0 : from * HOP_MS + BORDER_MS,
        end_ms: to === known.length ? duration_ms : to * HOP_MS + BORDER_MS,
      });
      const found = yield* findSounds(known);
      const { sounds, utterances, pauses } = found;
      const heard: Sound[] = sounds.map(({ kind, ...span }) => ({
        ...interval(span),
        kind,
        level_db: levelOf(level.subarray(span.from, span.to)),
      }));
      // If the sound is shorter than a frame, it counts as silence.
      if (known.length === 0 && duration_ms > 0)
        heard.push({ start_ms: 0, end_ms: duration_ms, kind: 'silence', level_db: -100 });
      return {
        duration_ms,
        sounds: heard,
        utterances: utterances.map(interval),
        pauses: pauses.map(interval),
        ...(findEvents && { events: findEvents(known, found) }),
      };
    },
  };
}

function levelOf(level: Float32Array): number {
  const power = level.reduce((sum, value) => sum + 10 ** (value / 10), 0) / level.length;
  return Math.round(10 * Math.log10(power) * 10) / 10;
}
