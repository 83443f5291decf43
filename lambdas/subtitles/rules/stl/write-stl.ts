/** Writes EBU STL files. */

import { TableWriter } from './code-tables.ts';
import type { StlFile } from './file.ts';
import { GSI_BYTES, writeGsi } from './gsi.ts';
import { encodeRows } from './text-field.ts';
import { TtiWriter } from './tti.ts';

/** Writes a file. The header's code table must have all characters of the texts. Throws `too_many_blocks`. */
export function writeStl({ header, subtitles }: StlFile): Uint8Array<ArrayBuffer> {
  const { framesPerSecond: rate, codeTable, display } = header;
  const table = new TableWriter(codeTable);
  const blocks = new TtiWriter({ rate, hasMarks: codeTable === 'latin', before: GSI_BYTES });
  for (const subtitle of subtitles) blocks.write(subtitle, encodeRows(subtitle.rows, display, table));
  const shown = subtitles.filter(({ isComment }) => !isComment);
  const gsi = writeGsi(header, {
    blocks: blocks.count,
    subtitles: shown.length,
    groups: new Set(subtitles.map(({ group }) => group)).size,
    firstFrame: (shown[0] ?? header).startFrame,
  });
  const file = blocks.bytes;
  file.set(gsi);
  return file;
}
