/** Text and Timing Information blocks (Tech 3264 §4.3). Each has 128 bytes; a subtitle has one or more. */
import { defined, itemAt } from '../../../../shared/checked-access.ts';
import { type Cumulative, type Justification, StlError, type StlHeader, type StlSubtitle } from './file.ts';
import { isLatinMark } from './latin-table.ts';
import { UNUSED } from './text-field.ts';
import { timeCodeOf } from './time-codes.ts';

export const TTI_BYTES = 128;
const HEAD_BYTES = 16;
const TEXT_BYTES = TTI_BYTES - HEAD_BYTES;

/** EBN: all blocks of a subtitle except the last have numbers from 00h to this number. */
const LAST_EXTENSION = 0xef;
const LAST_BLOCK = 0xff;
const USER_DATA = 0xfe;
const MAX_PARTS = LAST_EXTENSION + 2;

const cumulatives: readonly Cumulative[] = ['none', 'first', 'intermediate', 'last'];
const justifications: readonly Justification[] = ['unchanged', 'left', 'center', 'right'];

type TtiHead = Omit<StlSubtitle, 'rows'>;

/** The blocks of a subtitle. Throws `too_many_blocks`. @param codeTable in Latin, a diacritic precedes its letter */
export function ttiBlocks(
  head: TtiHead,
  text: readonly number[],
  { framesPerSecond, codeTable }: Pick<StlHeader, 'framesPerSecond' | 'codeTable'>,
): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  let from = 0;
  do {
    if (blocks.length === MAX_PARTS) {
      throw new StlError(
        'too_many_blocks',
        `A subtitle takes more than the ${MAX_PARTS} blocks that it may have.`,
      );
    }
    let to = Math.min(from + TEXT_BYTES, text.length);
    // A diacritic and its letter stay in one block.
    if (to < text.length && codeTable === 'latin' && isLatinMark(itemAt(text, to - 1))) to--;
    const block = new Uint8Array(TTI_BYTES).fill(UNUSED);
    block.set(headBytes(head, to === text.length ? LAST_BLOCK : blocks.length, framesPerSecond));
    block.set(text.slice(from, to), HEAD_BYTES);
    blocks.push(block);
    from = to;
  } while (from < text.length);
  return blocks;
}

const headBytes = (head: TtiHead, extension: number, rate: number): number[] => [
  ...[head.group, head.number & 0xff, head.number >> 8, extension, cumulatives.indexOf(head.cumulative)],
  ...timeCodeOf(head.startFrame, rate),
  ...timeCodeOf(head.endFrame, rate),
  ...[head.row, justifications.indexOf(head.justification), head.isComment ? 1 : 0],
];

export type RawBlock = Omit<TtiHead, 'startFrame' | 'endFrame'> & {
  /** The role of a block, from its extension block number. */
  kind: 'last' | 'continued' | 'user-data' | 'reserved';
  timeIn: readonly [number, number, number, number];
  timeOut: readonly [number, number, number, number];
  text: Uint8Array;
};

/** Reads a block. The file may end within the block. Null if the head of the block is incomplete. */
export function readTti(block: Uint8Array): RawBlock | null {
  if (block.length < HEAD_BYTES) return null;
  const at = (offset: number) => defined(block[offset]);
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
