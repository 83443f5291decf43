/** The characters of a text as numbers: reading them from an array takes a fraction of what `charCodeAt` takes. */

/** Two bytes a character: room for nearly all files of subtitles, kept from one to the next. */
const KEPT_BYTES = 4_194_304;

let kept = Buffer.alloc(0);

/** The UTF-16 code of each character; of a byte each where all are below U+0100. */
export type Codes = Uint8Array | Uint16Array;

/** A text with U+FFFD for each U+0000, and the codes of its characters, which are good until those of the next are asked for. */
export function withoutNulls(text: string): { text: string; codes: Codes } {
  const low = memoryOf(text.length);
  low.write(text, 'latin1');
  // V8 searches a text of two bytes a character for a byte; the low bytes alone tell in no time that there is nothing to replace.
  const mayHaveNull = low.subarray(0, text.length).includes(0);
  const whole = mayHaveNull ? text.replaceAll('\0', '\ufffd') : text;
  // A text of one byte a character cannot have those, which V8 knows without looking.
  if (!/[^\0-\xff]/.test(whole)) return { text, codes: new Uint8Array(low.buffer, 0, text.length) };
  const memory = memoryOf(whole.length * 2);
  memory.write(whole, 'utf16le');
  return { text: whole, codes: new Uint16Array(memory.buffer, 0, whole.length) };
}

function memoryOf(bytes: number): Buffer {
  if (bytes > KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (kept.length < bytes) kept = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * kept.length));
  return kept;
}
