/** The characters of a text as numbers. Reading them from an array is several times faster than `charCodeAt`. */

/** Maximum memory that is kept for the next text, bytes. Nearly every subtitle file fits, at two bytes a character. */
const KEPT_BYTES = 4_194_304;

let kept = Buffer.alloc(0);

/** The UTF-16 code of each character: a Uint8Array if all codes are below 100h. */
export type Codes = Uint8Array | Uint16Array;

/**
 * Replaces each U+0000 with U+FFFD, and returns the text and its character codes. The codes are valid until the next
 * call.
 */
export function encodeCharacters(text: string): { text: string; codes: Codes } {
  const low = memoryOf(text.length);
  low.write(text, 'latin1');
  // Searching one-byte characters is much faster than searching a two-byte string. Most texts have no U+0000.
  const mayHaveNull = low.subarray(0, text.length).includes(0);
  const whole = mayHaveNull ? text.replaceAll('\0', '\ufffd') : text;
  // V8 answers this at once for a text that it stores at one byte a character.
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
