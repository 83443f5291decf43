/** Joins the texts that samples of a video show into spans: one text in one place, for as long as it is there. */
import type { SeenText } from '../../../engines/ocr/port.ts';
import { type Box, meanBox, overlapOf } from '../../../shared/boxes.ts';
import { editDistance } from './edit-distance.ts';
import { beginningOf, endOf, type Span, shotAt } from './sampled-shots.ts';

export interface TextSample {
  readonly at_ms: number;
  readonly texts: readonly SeenText[];
}

export interface TextSpan extends Span {
  readonly text: string;
  readonly box: Box;
  readonly confidence: number;
}

/** Lines of one text cover each other so far from one sample to the next. */
const SAME_PLACE = 0.3;
/** Readings of one text differ in at most such a share of their characters, unless the engine is sure of both. */
const MISREAD = 0.3;
const MISREAD_SURELY = 0.1;
const SURE = 0.85;
/** So many samples in a row may miss a text: it is read badly over a moving picture. */
const MISSED = 1;

interface Sighting extends SeenText {
  readonly at_ms: number;
}

/**
 * By time. A text stays one across cuts, as a name at the lower edge does; where samples read it differently, the reading in
 * which most of them agree counts.
 * @param samples by time
 * @param shots by time; none where they are not known
 * @param every_ms between two samples
 */
export function textSpans(
  samples: readonly TextSample[],
  shots: readonly Span[],
  every_ms: number,
): TextSpan[] {
  const runs: Sighting[][] = [];
  for (const { at_ms, texts } of samples) {
    const open = runs.filter((seen) => at_ms - seen.at(-1)!.at_ms <= (MISSED + 1) * every_ms);
    for (const text of texts) {
      const run = open.find((seen) => seen.at(-1)!.at_ms < at_ms && isSameText(seen.at(-1)!, text));
      if (run) run.push({ at_ms, ...text });
      else runs.push([{ at_ms, ...text }]);
    }
  }
  return runs
    .map((seen) => spanOf(seen, shots, every_ms))
    .toSorted((one, other) => one.start_ms - other.start_ms || one.box.y - other.box.y);
}

/** Of one place, and read alike; or the beginning of the other, as it appears letter by letter. */
function isSameText(one: SeenText, other: SeenText): boolean {
  const [first, second] = [plain(one.text), plain(other.text)];
  const isBeginning = second.startsWith(first) || first.startsWith(second);
  const moved = Math.max(Math.abs(one.box.x - other.box.x), Math.abs(one.box.y - other.box.y));
  if (isBeginning && moved < one.box.height / 2) return true;
  if (overlapOf(one.box, other.box) < SAME_PLACE) return false;
  const isSure = Math.min(one.confidence, other.confidence) >= SURE;
  // "Part 1" and "Part 2" are two cards.
  if (isSure && digitsOf(first) !== digitsOf(second)) return false;
  const most = (isSure ? MISREAD_SURELY : MISREAD) * Math.max(first.length, second.length);
  return editDistance(first, second, Math.floor(most)) <= most;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

function spanOf(seen: readonly Sighting[], shots: readonly Span[], every_ms: number): TextSpan {
  const [first, last] = [seen[0]!, seen.at(-1)!];
  const text = agreedText(seen);
  const readSo = seen.filter((one) => one.text === text);
  return {
    text,
    start_ms: beginningOf(first.at_ms, shotAt(shots, first.at_ms), every_ms),
    end_ms: endOf(last.at_ms, shotAt(shots, last.at_ms), every_ms),
    box: meanBox(readSo.map(({ box }) => box)),
    confidence: toHundredths(Math.max(...readSo.map(({ confidence }) => confidence))),
  };
}

/** The reading with the most confidence in all, longer ones first where letters came one by one. */
function agreedText(seen: readonly Sighting[]): string {
  const votes = new Map<string, number>();
  for (const { text, confidence } of seen)
    votes.set(text, (votes.get(text) ?? 0) + confidence * Math.max(1, plain(text).length));
  return [...votes].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const toHundredths = (value: number) => Math.round(value * 100) / 100;
