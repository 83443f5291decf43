/** Reads EBU STL files of any program. It repairs faults where it can, and adds a problem with the place of each fault. */
import type { ParsedStl, StlHeader, StlProblem, StlSubtitle } from './file.ts';
import { GSI_BYTES, readGsi } from './gsi.ts';
import { decodeRows, textOf } from './text-field.ts';
import { framesADay, framesAt, isTimeCode } from './time-codes.ts';
import { type RawBlock, readTti, TTI_BYTES } from './tti.ts';

/**
 * Reads a file. The number of blocks comes from the length of the file, because headers can be wrong. Throws an
 * StlError if the file is not an EBU STL file.
 */
export function readStl(file: Uint8Array): ParsedStl {
  const { header, declaredBlocks, problems } = readGsi(file);
  const reader = new BlockReader(header, problems);
  let count = 0;
  for (let offset = GSI_BYTES; offset < file.length; offset += TTI_BYTES) {
    reader.read(file.subarray(offset, offset + TTI_BYTES), offset);
    count++;
  }
  reader.finish(file.length);
  if (declaredBlocks !== count) {
    problems.push({
      offset: 238,
      message: `TNB: The header declares ${declaredBlocks ?? 'no'} blocks. The file has ${count}.`,
    });
  }
  const { subtitles, userDataBlocks } = reader;
  return { header, subtitles, problems, userDataBlocks };
}

/** A subtitle whose last block has not been read yet. */
type Open = { block: RawBlock; offset: number; parts: Uint8Array[] };

class BlockReader {
  readonly subtitles: StlSubtitle[] = [];
  userDataBlocks = 0;
  readonly #header: StlHeader;
  readonly #problems: StlProblem[];
  #open: Open | null = null;
  /** The time of day that was read last, in frames. */
  #last = 0;
  /** The number of midnights before `#last`. */
  #days = 0;

  constructor(header: StlHeader, problems: StlProblem[]) {
    this.#header = header;
    this.#problems = problems;
  }

  read(bytes: Uint8Array, offset: number): void {
    if (bytes.length < TTI_BYTES) {
      this.#note(offset, `The last block has ${bytes.length} bytes instead of ${TTI_BYTES}.`);
    }
    const block = readTti(bytes);
    if (block === null) return;
    if (block.kind === 'user-data') this.userDataBlocks++;
    else if (block.kind === 'reserved')
      this.#note(offset, 'The block has a reserved number. It was skipped.');
    else this.#text(block, offset);
  }

  finish(offset: number): void {
    if (this.#open) this.#note(offset, 'The last block of the last subtitle is missing.');
    this.#close();
  }

  #text(block: RawBlock, offset: number): void {
    const before = this.#open?.block;
    if (before && (before.number !== block.number || before.group !== block.group)) {
      this.#note(offset, `The last block of subtitle ${before.number} is missing.`);
      this.#close();
    }
    this.#open ??= { block, offset, parts: [] };
    this.#open.parts.push(block.kind === 'last' ? withoutFilling(block.text) : block.text);
    if (block.kind === 'last') this.#close();
  }

  #close(): void {
    if (this.#open === null) return;
    const { block, offset, parts } = this.#open;
    const { kind: _, text: __, timeIn, timeOut, ...head } = block;
    const { display, codeTable, language } = this.#header;
    const rows = decodeRows(parts, { display, table: codeTable, language });
    if (rows.some((each) => textOf(each).includes('\ufffd'))) {
      this.#note(offset, `Subtitle ${head.number} has bytes that are not in the code table ${codeTable}.`);
    }
    const startFrame = this.#frame(timeIn, offset);
    const endFrame = this.#frame(timeOut, offset);
    if (endFrame <= startFrame) this.#note(offset, `Subtitle ${head.number} does not end after it starts.`);
    this.subtitles.push({ ...head, startFrame, endFrame, rows });
    this.#open = null;
  }

  /**
   * Time codes restart at midnight. If a time code is more than half a day below the previous one, it is on the next
   * day.
   */
  #frame(parts: RawBlock['timeIn'], offset: number): number {
    const rate = this.#header.framesPerSecond;
    if (!isTimeCode(parts, rate))
      this.#note(offset, `${parts.join(':')} is not a time code at ${rate} frames a second.`);
    const inDay = framesAt(parts, rate);
    if (inDay < this.#last - framesADay(rate) / 2) this.#days++;
    else if (this.#days > 0 && inDay > this.#last + framesADay(rate) / 2) this.#days--;
    this.#last = inDay;
    return this.#days * framesADay(rate) + inDay;
  }

  #note(offset: number, message: string): void {
    this.#problems.push({ offset, message });
  }
}

/** Some programs fill the last block with NUL instead of 8Fh. Within text, NUL is the code for black. */
function withoutFilling(text: Uint8Array): Uint8Array {
  let end = text.length;
  while (end > 0 && text[end - 1] === 0) end--;
  return text.subarray(0, end);
}
