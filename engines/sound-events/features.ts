/** Classifies sounds by the measurements that are also used to find speech, without a model. `ENGINE_SOUND_EVENTS=features` */
import type { Span } from '../../media/sound/find-heard-spans.ts';
import type { HeardSounds, KindSpan } from '../../media/sound/find-sounds.ts';
import type { FrameMeasures } from '../../media/sound/frame-measures.ts';
import { createLikeliestPath } from '../../media/sound/likeliest-path.ts';
import { BORDER_MS } from '../../media/sound/sound-listener.ts';
import { HOP_MS } from '../../media/sound/spectrum.ts';
import type { SoundEvent, SoundEventKind } from '../../shared/sound.ts';
import { type Classify, classifier, STEP, kinds as soundKinds } from './classify-frames.ts';
import { borderFinder } from './find-borders.ts';
import { soundEventsEngine } from './port.ts';

type Heard = Pick<HeardSounds, 'sounds'>;
type EventSpan = Span & { kind: SoundEventKind; confidence: number | null };

export const features = soundEventsEngine({
  name: 'features',
  runs: ['aws', 'local'],
  make: () => ({ find: (facts, heard) => eventsOf(facts, heard) }),
});

/** The longest pause within music or applause, in frames of 10 ms. */
const MAX_REST = 120;
/** The cost of a change to another kind, in votes. There is one vote for each tenth of a second. */
const CHANGE_COST = 8;
/** The level above which a frame interrupts a silence, even a short one. dB relative to full scale. */
const AUDIBLE_DB = -35;
/** The shortest event of each kind, in frames of 10 ms. Shorter events are left out. */
const MIN_LENGTH: Readonly<Record<SoundEventKind, number>> = {
  music: 200,
  applause: 100,
  noise: 100,
  silence: 100,
};

export function eventsOf(facts: FrameMeasures, { sounds }: Heard): SoundEvent[] {
  const classify = classifier(facts, sounds);
  const border = borderFinder(facts);
  const level = facts.column('level');
  const eventsIn = (stretch: KindSpan): EventSpan[] =>
    stretch.kind === 'silence'
      ? quietParts(stretch, level).map((part) => ({ ...part, kind: 'silence', confidence: null }))
      : moveBorders(splitByKind(stretch, classify), border);
  return stretchesOf(sounds)
    .flatMap(eventsIn)
    .filter(({ from, to, kind }) => to - from >= MIN_LENGTH[kind])
    .map(({ from, to, kind, confidence }) => ({
      start_ms: from === 0 ? 0 : from * HOP_MS + BORDER_MS,
      end_ms: to * HOP_MS + BORDER_MS,
      kind,
      confidence,
    }));
}

/** Splits a silence at sounds that are too short to be events, such as clicks and beeps. */
function quietParts({ from, to }: Span, level: Float32Array): Span[] {
  const parts: Span[] = [];
  let begin = from;
  for (let frame = from; frame <= to; frame++) {
    if (frame < to && level[frame]! < AUDIBLE_DB) continue;
    if (frame > begin) parts.push({ from: begin, to: frame });
    begin = frame + 1;
  }
  return parts;
}

/** Returns the parts between speech: silences, and sounds including their short pauses. */
function stretchesOf(sounds: readonly KindSpan[]): (KindSpan & { kind: 'noise' | 'silence' })[] {
  const stretches: (KindSpan & { kind: 'noise' | 'silence' })[] = [];
  for (const [at, { from, to, kind }] of sounds.entries()) {
    if (kind === 'speech') continue;
    const last = stretches.at(-1);
    const isNext = last?.to === from && last.kind === 'noise';
    const goesOn = isHeard(sounds[at + 1]);
    const isRest = kind === 'silence' && to - from < MAX_REST && goesOn;
    if (isNext && (kind !== 'silence' || isRest)) last.to = to;
    else stretches.push({ from, to, kind: kind === 'silence' ? 'silence' : 'noise' });
  }
  return stretches;
}

const isHeard = (sound: KindSpan | undefined) => sound?.kind === 'music' || sound?.kind === 'noise';

/** Splits a sound between speech into parts of one kind, by the votes for each tenth of a second. */
function splitByKind({ from, to }: KindSpan, classify: Classify): EventSpan[] {
  const votes: number[] = [];
  for (let frame = from; frame < to; frame += STEP) {
    votes.push(classify(Math.min(frame + STEP / 2, to - 1), from, to));
  }
  const kinds = mostLikely(votes);
  const spans: EventSpan[] = [];
  let begins = 0;
  for (let at = 1; at <= kinds.length; at++) {
    if (kinds[at] === kinds[begins]) continue;
    const agreed = votes.slice(begins, at).filter((one) => one === kinds[begins]).length;
    spans.push({
      from: from + begins * STEP,
      to: Math.min(to, from + at * STEP),
      kind: soundKinds[kinds[begins]!]!,
      confidence: Math.round((agreed / (at - begins)) * 100) / 100,
    });
    begins = at;
  }
  return spans;
}

/** Moves the borders between parts to their exact frames. Borders from votes are inexact, because each vote covers a second. */
function moveBorders(parts: readonly EventSpan[], border: ReturnType<typeof borderFinder>): EventSpan[] {
  const borders = parts.slice(1).map(({ from, to }, at) => border(parts[at]!.from, from, to));
  return parts.map((part, at) => ({
    ...part,
    from: borders[at - 1] ?? part.from,
    to: borders[at] ?? part.to,
  }));
}

/** Returns the sequence of kinds that agrees with the most votes, minus the costs of its changes. */
function mostLikely(votes: readonly number[]): Uint8Array {
  const path = createLikeliestPath(votes.length, soundKinds.length);
  const evidence = [0, 0, 0];
  for (const vote of votes) path.add(evidence.with(vote, 1), CHANGE_COST);
  return path.end();
}
