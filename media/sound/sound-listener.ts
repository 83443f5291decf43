/** Hears 16 kHz mono PCM as it comes, and tells at the end what was speech, music, noise and silence. */
import type { Interval, Sound, SoundEvent, SoundMap } from '../../shared/sound.ts';
import type { Span } from './find-heard-spans.ts';
import { findSounds, type HeardSounds } from './find-sounds.ts';
import { createFrameMeasures, type FrameMeasures } from './frame-measures.ts';
import { HOP_MS, SAMPLE_RATE } from './spectrum.ts';

export type Heard = Pick<SoundMap, 'duration_ms' | 'sounds' | 'utterances' | 'pauses' | 'events'>;

/** Looks for what is heard beside speech, in the facts that are there only as long as the listener is. */
export type FindEvents = (facts: FrameMeasures, heard: HeardSounds) => SoundEvent[];

export type SoundListener = {
  /** Samples in chunks of any length; they are not kept. */
  push(samples: Int16Array): void;
  /** What was heard, once all samples are in: 4 s of a processor an hour, on the way of which it yields how much is done, 0 to 1. */
  end(findEvents?: FindEvents): Generator<number, Heard>;
};

/** A frame is looked at in its middle, 12 ms after its beginning; so is the border between two of them. */
const BORDER_MS = 8;

/** Needs 11 bytes for each 10 ms: 4 MB an hour, and about ten times that for a moment at the end. */
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
      // What is shorter than a frame is nothing that could be heard.
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
