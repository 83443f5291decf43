/** Sounds beside speech, from the facts that are measured anyway before speech is recognised: no model, no service. */

import type { Span } from '../../media/sound/find-heard-spans.ts';
import type { HeardSounds, KindSpan } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures } from '../../media/sound/frame-measures.ts';
import { HOP_MS } from '../../media/sound/spectrum.ts';
import type { SoundEvent, SoundEventKind } from '../../shared/sound.ts';
import { STEP, type Vote, voices, votesOn } from './classify-frames.ts';
import { bordersIn } from './find-borders.ts';
import { soundEventsEngine } from './port.ts';

type Heard = Pick<HeardSounds, 'sounds'>;
type EventSpan = Span & { kind: SoundEventKind; confidence: number | null };

export const features = soundEventsEngine({
  name: 'features',
  runs: ['aws', 'local'],
  languages: 'any',
  settings: {},
  permissions: {},
  make: () => ({ find: (facts, heard) => eventsOf(facts, heard) }),
});

/** A frame is looked at in its middle, 12 ms after its beginning; so is the border between two of them. */
const BORDER_MS = 8;
/** Rests within music, and between claps, frames of 10 ms. */
const REST = 120;
/** What a change of kind has to bring in, in tenths of a second that vote for it. */
const CHANGE = 8;
/** Louder than what listening takes for silence beside the loudest sounds, dB below full scale: however brief, it is heard. */
const HEARD_DB = -35;
/** Shorter than this, frames, nothing is told of. */
const SHORTEST: Readonly<Record<SoundEventKind, number>> = {
  music: 200,
  applause: 100,
  noise: 100,
  silence: 100,
};

export function eventsOf(facts: FrameMeasures, { sounds }: Heard): SoundEvent[] {
  const vote = votesOn(facts, sounds);
  const border = bordersIn(facts);
  const level = facts.column('level');
  const eventsIn = (stretch: KindSpan): EventSpan[] =>
    stretch.kind === 'silence'
      ? quietParts(stretch, level).map((part) => ({ ...part, kind: 'silence', confidence: null }))
      : settled(parted(stretch, vote), border);
  return stretchesOf(sounds)
    .flatMap(eventsIn)
    .filter(({ from, to, kind }) => to - from >= SHORTEST[kind])
    .map(({ from, to, kind, confidence }) => ({
      start_ms: from === 0 ? 0 : from * HOP_MS + BORDER_MS,
      end_ms: to * HOP_MS + BORDER_MS,
      kind,
      confidence,
    }));
}

/** A silence parted where something breaks it that is too short to be a sound of its own: clicks, beeps. */
function quietParts({ from, to }: Span, level: Float32Array): Span[] {
  const parts: Span[] = [];
  let begin = from;
  for (let frame = from; frame <= to; frame++) {
    if (frame < to && level[frame]! < HEARD_DB) continue;
    if (frame > begin) parts.push({ from: begin, to: frame });
    begin = frame + 1;
  }
  return parts;
}

/** What lies between speech: silence, and stretches in which something is heard, over short rests. */
function stretchesOf(sounds: readonly KindSpan[]): (KindSpan & { kind: 'noise' | 'silence' })[] {
  const stretches: (KindSpan & { kind: 'noise' | 'silence' })[] = [];
  for (const [at, { from, to, kind }] of sounds.entries()) {
    if (kind === 'speech') continue;
    const last = stretches.at(-1);
    const isNext = last?.to === from && last.kind === 'noise';
    const goesOn = isHeard(sounds[at + 1]);
    const isRest = kind === 'silence' && to - from < REST && goesOn;
    if (isNext && (kind !== 'silence' || isRest)) last.to = to;
    else stretches.push({ from, to, kind: kind === 'silence' ? 'silence' : 'noise' });
  }
  return stretches;
}

const isHeard = (sound: KindSpan | undefined) => sound?.kind === 'music' || sound?.kind === 'noise';

/** The parts of a stretch that are of one kind, by the votes of its tenths of a second (Viterbi 1967). */
function parted({ from, to }: KindSpan, vote: Vote): EventSpan[] {
  const votes: number[] = [];
  for (let frame = from; frame < to; frame += STEP) {
    votes.push(vote(Math.min(frame + STEP / 2, to - 1), from, to));
  }
  const kinds = likeliest(votes);
  const spans: EventSpan[] = [];
  let begins = 0;
  for (let at = 1; at <= kinds.length; at++) {
    if (kinds[at] === kinds[begins]) continue;
    const agreed = votes.slice(begins, at).filter((one) => one === kinds[begins]).length;
    spans.push({
      from: from + begins * STEP,
      to: Math.min(to, from + at * STEP),
      kind: voices[kinds[begins]!]!,
      confidence: Math.round((agreed / (at - begins)) * 100) / 100,
    });
    begins = at;
  }
  return spans;
}

/** The parts with the borders between them where they are, rather than somewhere in the second that voted. */
function settled(parts: readonly EventSpan[], border: ReturnType<typeof bordersIn>): EventSpan[] {
  const borders = parts.slice(1).map(({ from, to }, at) => border(parts[at]!.from, from, to));
  return parts.map((part, at) => ({
    ...part,
    from: borders[at - 1] ?? part.from,
    to: borders[at] ?? part.to,
  }));
}

/** The sequence with which most votes agree after its changes are paid for. */
function likeliest(votes: readonly number[]): number[] {
  const from: number[][] = [];
  let scores: number[] = voices.map(() => 0);
  for (const vote of votes) {
    const best = scores.indexOf(Math.max(...scores));
    const changed = scores[best]! - CHANGE;
    from.push(scores.map((score, kind) => (score >= changed ? kind : best)));
    scores = scores.map((score, kind) => Math.max(score, changed) + (kind === vote ? 1 : 0));
  }
  const kinds: number[] = [];
  let kind = scores.indexOf(Math.max(...scores));
  for (let at = votes.length - 1; at >= 0; at--) {
    kinds[at] = kind;
    kind = from[at]![kind]!;
  }
  return kinds;
}
