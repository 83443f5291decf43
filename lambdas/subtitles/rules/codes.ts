/** The characters of a text as numbers: reading them from an array takes a fraction of what `charCodeAt` takes. */

/** Two bytes a character: room for nearly all files of subtitles, kept from one to the next. */
const KEPT_BYTES = 4_194_304;

let kept = Buffer.alloc(0);

/** The UTF-16 codes of a text. They are good until those of the next text are asked for. */
export function codesOf(text: string): Uint16Array {
  const memory = memoryOf(text.length * 2);
  memory.write(text, 'utf16le');
  return new Uint16Array(memory.buffer, 0, text.length);
}

/**
 * The text with U+FFFD for each U+0000. V8 searches a text of two bytes a character for a byte, and every other one
 * of a Latin text is zero; the low bytes alone tell in no time that there is nothing to replace.
 */
export function withoutNulls(text: string): string {
  const memory = memoryOf(text.length);
  memory.write(text, 'latin1');
  const mayHaveNull = memory.subarray(0, text.length).includes(0);
  return mayHaveNull ? text.replaceAll('\0', '\ufffd') : text;
}

function memoryOf(bytes: number): Buffer {
  if (bytes > KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (kept.length < bytes) kept = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * kept.length));
  return kept;
}
