/** Finds the sounds of a recording, with their times and kinds. */
import { mergeNeighbors } from '../../shared/merge-neighbors.ts';
import type { SoundKind } from '../../shared/sound.ts';
import { classifySound, heardKinds } from './classify-sound.ts';
import { cutUtterances } from './cut-utterances.ts';
import { findHeardSpans, type Span } from './find-heard-spans.ts';
import type { FrameMeasures } from './frame-measures.ts';
import { STEP } from './window-features.ts';

export type KindSpan = Span & { kind: SoundKind };

/** The maximum length of a pause within speech, in frames of 10 ms. */
const SPEECH_GAP = 100;
/** The precision of a change of kind, in frames. A shorter part of a continuous sound gets the kind of the other parts. */
const BLUR = 100;
/** The number of frames of an adjacent sound that count as speech, so that the first word is complete. */
const MARGIN = 30;
/** The minimum length of a sound, in frames. A shorter sound is merged with the previous one. */
const SHORTEST = 50;
/** The level below which sounds, except music, count as the silence of a room. dB relative to full scale. */
const QUIET_DB = -55;
/** The level below which every sound is silence, even music. dB relative to full scale. */
const SILENT_DB = -75;
/** Sound also counts as silence if its level is this far below the loudest frame around it, dB. */
const DEPTH_DB = 38;
/** The time around a sound on each side, in steps of 0.2 s. */
const AROUND = 20;

/** The result. Times are in frames. */
export type HeardSounds = {
  /** Sounds that cover all frames. */
  sounds: KindSpan[];
  utterances: Span[];
  pauses: Span[];
};

/** Finds the sounds. Yields the progress, 0 to 1. */
export function* findSounds(facts: FrameMeasures): Generator<number, HeardSounds> {
  const level = facts.column('voiceLevel');
  const spans = findHeardSpans(level);
  const kinds = yield* classifySound(facts, marked(spans, facts.length));
  const isSpeech = (frame: number) => heardKinds[kinds[Math.floor(frame / STEP)]!] === 'speech';
  const utterances = cutUtterances(
    spans.flatMap((span) => spoken(span, isSpeech)),
    level,
  );
  const otherKind = createOtherKinds(facts, kinds);
  const sounds = covering(touching(utterances, SPEECH_GAP), facts.length, (gap) =>
    smoothed(runsOf(gap, otherKind).map(({ value, ...span }) => ({ ...span, kind: value }))),
  );
  return { sounds, utterances, pauses: pausesIn(utterances, spans) };
}

function marked(spans: readonly Span[], length: number): Uint8Array {
  const heard = new Uint8Array(length);
  for (const { from, to } of spans) heard.fill(1, from, to);
  return heard;
}

function spoken(span: Span, isSpeech: (frame: number) => boolean): Span[] {
  const runs = runsOf(span, isSpeech);
  const said = lengthOf(runs.filter(({ value }) => value));
  if (said === 0) return [];
  const sure = runs.filter(({ value, from, to }) => value || to - from < BLUR);
  if (sure.length === runs.length) return said * 3 >= span.to - span.from ? [span] : [];
  return touching(sure).map(({ from, to }) => ({
    from: Math.max(span.from, from - MARGIN),
    to: Math.min(span.to, to + MARGIN),
  }));
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

function pausesIn(utterances: readonly Span[], spans: readonly Span[]): Span[] {
  let at = 0;
  return utterances.flatMap(({ from, to }) => {
    while (at < spans.length && spans[at]!.to <= from) at += 1;
    const pauses: Span[] = [];
    for (; at + 1 < spans.length && spans[at + 1]!.from < to; at += 1)
      pauses.push({ from: spans[at]!.to, to: spans[at + 1]!.from });
    return pauses;
  });
}

function runsOf<T>({ from, to }: Span, kindOf: (frame: number) => T): (Span & { value: T })[] {
  const runs: (Span & { value: T })[] = [];
  for (let frame = from; frame < to; frame++) {
    const value = kindOf(frame);
    const last = runs.at(-1);
    if (last?.value === value) last.to = frame + 1;
    else runs.push({ from: frame, to: frame + 1, value });
  }
  return runs;
}

/** Joins spans if the gap between them is at most `gap` frames. */
const touching = (spans: readonly Span[], gap = 0): Span[] =>
  mergeNeighbors(
    spans.map(({ from, to }) => ({ from, to })),
    (last, { from, to }) => (from - last.to <= gap ? { from: last.from, to } : null),
  );

function covering(speech: readonly Span[], length: number, between: (gap: Span) => KindSpan[]): KindSpan[] {
  const sounds: KindSpan[] = [];
  let at = 0;
  for (const span of [...speech, { from: length, to: length }]) {
    if (span.from > at) sounds.push(...between({ from: at, to: span.from }));
    if (span.to > span.from) sounds.push({ ...span, kind: 'speech' });
    at = span.to;
  }
  return sounds;
}

function createOtherKinds(facts: FrameMeasures, kinds: Uint8Array): (frame: number) => SoundKind {
  const level = facts.column('level');
  const peaks = surroundings(level);
  return (frame) => {
    const isMusic = heardKinds[kinds[Math.floor(frame / STEP)]!] === 'music';
    const isDeep = level[frame]! < Math.max(SILENT_DB, peaks[Math.floor(frame / STEP)]! - DEPTH_DB);
    if (isDeep || (level[frame]! < QUIET_DB && !isMusic)) return 'silence';
    return isMusic ? 'music' : 'noise';
  };
}

function surroundings(level: Float32Array): Float32Array {
  const steps = Math.ceil(level.length / STEP);
  const peaks = Float32Array.from({ length: steps }, (_, step) =>
    level.subarray(step * STEP, (step + 1) * STEP).reduce((most, value) => Math.max(most, value), -100),
  );
  return peaks.map((_, step) =>
    peaks
      .subarray(Math.max(0, step - AROUND), step + AROUND + 1)
      .reduce((most, value) => Math.max(most, value)),
  );
}

const smoothed = (sounds: readonly KindSpan[]): KindSpan[] =>
  mergeNeighbors(sounds, (last, { from, to, kind }) => {
    if (to - from < SHORTEST || last.kind === kind) return { ...last, to };
    return last.to - last.from < SHORTEST ? { ...last, to, kind } : null;
  });
