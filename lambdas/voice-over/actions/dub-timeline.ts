/** Places the speech of a dub on the timeline of its media, and computes the level of the original sound. */
import { PROGRAMME_RATE } from '../../../media/sound/broadcast-sound.ts';
import { fadeEnds } from '../../../media/sound/trim-speech.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { Interval } from '../../../shared/sound.ts';
import { BRIDGED_MS, bridgePauses, FADE_MS, floorOf, gainAt } from '../rules/ducking.ts';
import { type Piece, placePiece } from '../rules/speech-fit.ts';

export interface DubPiece {
  readonly start_ms: number;
  /** Mono, 48 kHz. */
  readonly samples: Int16Array;
  /** How much of the speech extends into the next slot, as in the fit report. */
  readonly overflow_ms?: number;
}

export interface Timeline {
  readonly pieces: AsyncIterable<DubPiece> | Iterable<DubPiece>;
  readonly speech_spans: readonly Interval[];
  /** Whether the original is silent during speech. If not, it is softer. */
  readonly mute_original_voice: boolean;
  /** The duration of the media and of the track. */
  readonly duration_ms: number;
}

export interface Displaced {
  /** The index of the piece. The start alone is not unique, because two pieces can begin at the same time. */
  readonly nth: number;
  readonly start_ms: number;
  /** The delay of the piece, because the previous piece was longer than its slot. */
  readonly late_ms: number;
  /** How much of the end is not heard, because the next piece would be too late or the media ends. */
  readonly cut_ms: number;
}

const PER_MS = PROGRAMME_RATE / 1000;
const BLOCK_MS = 1000;
/** Pieces are read this long in advance, because fades and bridged pauses begin before them. */
const AHEAD_MS = BRIDGED_MS + FADE_MS + 150;
const CUT_FADE_MS = 40;

interface Laid extends Piece {
  readonly nth: number;
  readonly at_ms: number;
  samples: Int16Array;
}

/**
 * Yields interleaved 16-bit samples: the speech, and the gain of the original (32767 is 1). The stream is as long as
 * the media. Only the pieces near the current time are in memory.
 * @param displaced receives the pieces that are delayed or cut
 */
export async function* timelineOf(dub: Timeline, displaced: Displaced[]): AsyncGenerator<Uint8Array> {
  const { duration_ms, speech_spans } = dub;
  const coming = comingPieces(dub.pieces, duration_ms, displaced);
  const floor = floorOf(dub.mute_original_voice);
  let laid: Laid[] = [];
  let [first, end] = [0, 0];
  for (let from_ms = 0; from_ms < duration_ms; from_ms += BLOCK_MS) {
    const to_ms = Math.min(duration_ms, from_ms + BLOCK_MS);
    laid.push(...(await coming(to_ms + AHEAD_MS)));
    laid = laid.filter((piece) => endOf(piece) > from_ms - AHEAD_MS);
    while (end < speech_spans.length && itemAt(speech_spans, end).start_ms < to_ms + AHEAD_MS) end++;
    while (first < end && itemAt(speech_spans, first).end_ms <= from_ms - AHEAD_MS) first++;
    const block = new Int16Array(2 * Math.round((to_ms - from_ms) * PER_MS));
    for (const piece of laid) addSpeech(block, piece, from_ms);
    addFactors(block, quietIn(speech_spans.slice(first, end), laid), from_ms, floor);
    yield new Uint8Array(block.buffer);
  }
  // Reads the pieces that begin after the end of the media, so that they are reported as displaced too.
  await coming(Infinity);
}

const endOf = ({ at_ms, samples }: Laid) => at_ms + samples.length / PER_MS;

/** Returns a function that reads the pieces up to a time and one more piece, and decides when each piece is heard. */
function comingPieces(pieces: Timeline['pieces'], duration_ms: number, displaced: Displaced[]) {
  const iterator = iterate(pieces);
  let before: Laid | null = null;
  let next: IteratorResult<DubPiece> | null = null;
  let nth = 0;
  return async (until_ms: number): Promise<Laid[]> => {
    const found: Laid[] = [];
    for (;;) {
      next ??= await iterator.next();
      if (next.done || next.value.start_ms >= until_ms) return found;
      const laid = laidAfter(before, next.value, { nth: nth++, duration_ms, displaced });
      before = laid;
      found.push(laid);
      next = null;
    }
  };
}

async function* iterate(pieces: Timeline['pieces']): AsyncGenerator<DubPiece> {
  yield* pieces;
}

function laidAfter(
  before: Laid | null,
  { start_ms, samples, overflow_ms = 0 }: DubPiece,
  {
    nth,
    duration_ms,
    displaced,
  }: { readonly nth: number; readonly duration_ms: number; readonly displaced: Displaced[] },
): Laid {
  const heard = samples.findLastIndex((sample) => sample !== 0) + 1;
  const heard_ms = Math.ceil(heard / PER_MS);
  const piece = { start_ms, heard_ms, duration_ms: samples.length / PER_MS, overflow_ms };
  const { start_ms: at_ms, late_ms, cut_before_ms } = placePiece(piece, before);
  if (before !== null && cut_before_ms > 0) cut(before, at_ms - before.at_ms, displaced);
  const laid: Laid = { ...piece, nth, at_ms, samples: samples.subarray(0, heard) };
  if (late_ms > 0) displaced.push({ nth, start_ms, late_ms, cut_ms: 0 });
  cut(laid, duration_ms - at_ms, displaced);
  return laid;
}

/** Fades out the end of a piece that is too long, on a copy. Records how much was cut. */
function cut(piece: Laid, kept_ms: number, displaced: Displaced[]): void {
  const kept = Math.max(0, Math.round(kept_ms * PER_MS));
  const lost_ms = Math.ceil((piece.samples.length - kept) / PER_MS);
  if (lost_ms <= 0) return;
  piece.samples = fadeEnds(piece.samples.slice(0, kept), CUT_FADE_MS * PER_MS, 'end');
  const known = displaced.findIndex(({ nth }) => nth === piece.nth);
  const { late_ms, cut_ms } = displaced[known] ?? { late_ms: 0, cut_ms: 0 };
  const placed = { nth: piece.nth, start_ms: piece.start_ms, late_ms, cut_ms: cut_ms + lost_ms };
  displaced.splice(known < 0 ? displaced.length : known, known < 0 ? 0 : 1, placed);
}

/** Adds a piece to a block. Pieces at the same time are summed. */
function addSpeech(block: Int16Array, { at_ms, samples }: Laid, from_ms: number): void {
  const offset = Math.round((at_ms - from_ms) * PER_MS);
  const first = Math.max(0, -offset);
  const end = Math.min(samples.length, block.length / 2 - offset);
  for (let at = first; at < end; at++) {
    const sum = itemAt(block, 2 * (offset + at)) + itemAt(samples, at);
    block[2 * (offset + at)] = Math.max(-32768, Math.min(32767, sum));
  }
}

/** The spans in which the original is softer: while someone speaks in the original or in the dub. */
function quietIn(spans: readonly Interval[], laid: readonly Laid[]): Interval[] {
  const spoken = laid.map((piece) => ({ start_ms: piece.at_ms, end_ms: endOf(piece) }));
  const all = [...spans, ...spoken.filter(({ start_ms, end_ms }) => end_ms > start_ms)];
  return bridgePauses(all.sort((one, other) => one.start_ms - other.start_ms));
}

function addFactors(block: Int16Array, quiet: readonly Interval[], from_ms: number, floor: number): void {
  const frames = block.length / 2;
  let next = 0;
  for (let at = 0; at < frames; at++) {
    const time_ms = from_ms + at / PER_MS;
    while (next < quiet.length && itemAt(quiet, next).end_ms <= time_ms) next++;
    const since_ms = next > 0 ? time_ms - itemAt(quiet, next - 1).end_ms : Infinity;
    const until_ms = next < quiet.length ? itemAt(quiet, next).start_ms - time_ms : Infinity;
    block[2 * at + 1] = Math.round(32767 * gainAt(Math.min(since_ms, until_ms), floor));
  }
}
