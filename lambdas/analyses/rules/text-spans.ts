/** Joins texts in samples of a video into spans: one text in one place, while it is visible. */
import type { SeenText } from '../../../engines/ocr/port.ts';
import { type Box, meanBox, overlapOf } from '../../../shared/boxes.ts';
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import { editDistance } from '../../../shared/edit-distance.ts';
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

/** Minimum overlap of the same text in consecutive samples. */
const SAME_PLACE = 0.3;
/** Two readings of one text differ in at most this share of their characters. */
const MISREAD = 0.3;
/** The same limit if both readings have high confidence. */
const MISREAD_SURELY = 0.1;
/** The lowest confidence that counts as high. */
const SURE = 0.85;
/** A span continues if at most this many consecutive samples miss the text. Moving pictures are hard to read. */
const MISSED = 1;

type Sighting = SeenText & { readonly at_ms: number };

/**
 * Spans in order of time. A text may continue across cuts, for example a name at the lower edge. If samples read a text
 * differently, the reading with the most agreement counts.
 * @param samples in order of time
 * @param shots in order of time; empty if unknown
 * @param every_ms interval between samples
 */
export function textSpans(
  samples: readonly TextSample[],
  shots: readonly Span[],
  every_ms: number,
): TextSpan[] {
  const runs: Sighting[][] = [];
  for (const { at_ms, texts } of samples) {
    const open = runs.filter((seen) => at_ms - lastOf(seen).at_ms <= (MISSED + 1) * every_ms);
    for (const text of texts) {
      const run = open.find((seen) => lastOf(seen).at_ms < at_ms && isSameText(lastOf(seen), text));
      if (run) run.push({ at_ms, ...text });
      else runs.push([{ at_ms, ...text }]);
    }
  }
  return runs
    .map((seen) => spanOf(seen, shots, every_ms))
    .toSorted((one, other) => one.start_ms - other.start_ms || one.box.y - other.box.y);
}

/** Whether two readings in one place are of one text: they are similar, or one begins with the other. */
function isSameText(one: SeenText, other: SeenText): boolean {
  const [first, second] = [plain(one.text), plain(other.text)];
  const isBeginning = second.startsWith(first) || first.startsWith(second);
  const moved = Math.max(Math.abs(one.box.x - other.box.x), Math.abs(one.box.y - other.box.y));
  if (isBeginning && moved < one.box.height / 2) return true;
  if (overlapOf(one.box, other.box) < SAME_PLACE) return false;
  const isSure = Math.min(one.confidence, other.confidence) >= SURE;
  // Texts with different digits are different texts, such as "Part 1" and "Part 2".
  if (isSure && digitsOf(first) !== digitsOf(second)) return false;
  const most = (isSure ? MISREAD_SURELY : MISREAD) * Math.max(first.length, second.length);
  return editDistance(first, second, Math.floor(most)) <= most;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

function spanOf(seen: readonly Sighting[], shots: readonly Span[], every_ms: number): TextSpan {
  const [first, last] = [itemAt(seen, 0), lastOf(seen)];
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

/** The reading with the highest total confidence. Longer readings weigh more, because letters appear one by one. */
function agreedText(seen: readonly Sighting[]): string {
  const votes = new Map<string, number>();
  for (const { text, confidence } of seen)
    votes.set(text, (votes.get(text) ?? 0) + confidence * Math.max(1, plain(text).length));
  return [...votes].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const toHundredths = (value: number) => Math.round(value * 100) / 100;
