/** Text and Timing Information blocks (Tech 3264 §4.3). Each has 128 bytes; a subtitle has one or more. */

import { type Cumulative, type Justification, StlError, type StlSubtitle } from './file.ts';
import { isLatinMark } from './latin-table.ts';
import { UNUSED } from './text-field.ts';
import { timeCodeOf } from './time-codes.ts';

export const TTI_BYTES = 128;
/** Bytes before the text. */
const HEAD_BYTES = 16;
const TEXT_BYTES = TTI_BYTES - HEAD_BYTES;

/** EBN: 00h to EFh number the blocks of a subtitle. The last block has FFh. */
const LAST_EXTENSION = 0xef;
const LAST_BLOCK = 0xff;
const USER_DATA = 0xfe;
const MAX_PARTS = LAST_EXTENSION + 2;

const cumulatives: readonly Cumulative[] = ['none', 'first', 'intermediate', 'last'];
const justifications: readonly Justification[] = ['unchanged', 'left', 'center', 'right'];

/** A subtitle without its text. */
export type TtiHead = Omit<StlSubtitle, 'rows'>;

/** Writes blocks one after the other. */
export class TtiWriter {
  readonly #rate: number;
  readonly #hasMarks: boolean;
  readonly #before: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #count = 0;

  /** @param hasMarks whether diacritics precede their letters @param before bytes to leave free at the start */
  constructor({ rate, hasMarks, before }: { rate: number; hasMarks: boolean; before: number }) {
    this.#rate = rate;
    this.#hasMarks = hasMarks;
    this.#before = before;
    this.#bytes = new Uint8Array(before + 64 * TTI_BYTES);
  }

  get count(): number {
    return this.#count;
  }

  /** The free bytes at the start, and the blocks after them. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Writes the blocks of a subtitle. Throws `too_many_blocks`. */
  write(head: TtiHead, text: readonly number[]): void {
    let from = 0;
    for (let part = 0; part === 0 || from < text.length; part++) {
      const to = this.#cut(text, from);
      if (part >= MAX_PARTS) {
        throw new StlError(
          'too_many_blocks',
          `A subtitle takes more than the ${MAX_PARTS} blocks that it may have.`,
        );
      }
      this.#writeBlock(head, to >= text.length ? LAST_BLOCK : part, text.slice(from, to));
      from = to;
    }
  }

  get #end(): number {
    return this.#before + this.#count * TTI_BYTES;
  }

  /** The end of the text in a block. A diacritic and its letter stay in one block. */
  #cut(text: readonly number[], from: number): number {
    const to = from + TEXT_BYTES;
    if (to >= text.length) return text.length;
    return this.#hasMarks && isLatinMark(text[to - 1]!) ? to - 1 : to;
  }

  #writeBlock(head: TtiHead, extension: number, text: readonly number[]): void {
    const at = this.#end;
    if (at + TTI_BYTES > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    bytes.set(
      [head.group, head.number & 0xff, head.number >> 8, extension, cumulatives.indexOf(head.cumulative)],
      at,
    );
    bytes.set(timeCodeOf(head.startFrame, this.#rate), at + 5);
    bytes.set(timeCodeOf(head.endFrame, this.#rate), at + 9);
    bytes[at + 13] = head.row;
    bytes[at + 14] = justifications.indexOf(head.justification);
    bytes[at + 15] = head.isComment ? 1 : 0;
    bytes.set(text, at + HEAD_BYTES);
    bytes.fill(UNUSED, at + HEAD_BYTES + text.length, at + TTI_BYTES);
    this.#count++;
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** A block as it is in a file. */
export type RawBlock = {
  group: number;
  number: number;
  /** The role of a block, from its extension block number. */
  kind: 'last' | 'continued' | 'user-data' | 'reserved';
  cumulative: Cumulative;
  timeIn: readonly [number, number, number, number];
  timeOut: readonly [number, number, number, number];
  row: number;
  justification: Justification;
  isComment: boolean;
  text: Uint8Array;
};

/** Reads a block. The file may end within the block. Null if the head of the block is incomplete. */
export function readTti(block: Uint8Array): RawBlock | null {
  if (block.length < HEAD_BYTES) return null;
  const at = (offset: number) => block[offset]!;
  return {
    group: at(0),
    number: at(1) | (at(2) << 8),
    kind: kindOf(at(3)),
    cumulative: cumulatives[at(4)] ?? 'none',
    timeIn: [at(5), at(6), at(7), at(8)],
    timeOut: [at(9), at(10), at(11), at(12)],
    row: at(13),
    justification: justifications[at(14)] ?? 'unchanged',
    isComment: at(15) === 1,
    text: block.subarray(HEAD_BYTES),
  };
}

function kindOf(extension: number): RawBlock['kind'] {
  if (extension === LAST_BLOCK) return 'last';
  if (extension === USER_DATA) return 'user-data';
  return extension <= LAST_EXTENSION ? 'continued' : 'reserved';
}
