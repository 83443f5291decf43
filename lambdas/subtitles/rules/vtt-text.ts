/** The text inside a WebVTT cue: character references, tags and voices. */
import { cleanText } from './text.ts';

const references: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]+));/g;
const VOICE = /^v(?:\.[^\s>]*)?\s+(.*)$/s;

/** Escapes the characters that WebVTT §4.2.2 forbids in cue text. This also breaks up `-->`. */
export function escapeCueText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Reads the cue texts of one file with the tokenizer of WebVTT §6.4. Drops tags and resolves character references. */
export class CueTextReader {
  // A cache of tags: a file repeats the same few tags.
  readonly #voices = new Map<string, string | null>();

  /** The text that a viewer reads, and the first voice in the text. */
  read(source: string): { text: string; speaker: string | null } {
    let speaker: string | null = null;
    let text = '';
    let at = 0;
    for (let tag = source.indexOf('<'); tag !== -1; tag = source.indexOf('<', at)) {
      text += decoded(source.slice(at, tag));
      const closing = source.indexOf('>', tag);
      const end = closing === -1 ? source.length : closing;
      speaker ??= this.voiceOf(source.slice(tag + 1, end));
      at = end + 1;
    }
    return { text: text + decoded(source.slice(at)), speaker };
  }

  /** The voice that a tag names. Null if it is not a voice tag. @param tag the text between the angle brackets */
  voiceOf(tag: string): string | null {
    const known = this.#voices.get(tag);
    if (known !== undefined) return known;
    const annotation = VOICE.exec(tag)?.[1];
    const voice = annotation === undefined ? null : cleanText(decoded(annotation)) || null;
    this.#voices.set(tag, voice);
    return voice;
  }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (reference, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(references, name) ? references[name]! : reference;
    const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
    return characterOf(code);
  });
}

// HTML §13.2.5.84: an invalid character becomes U+FFFD. A control character must not start a new line.
function characterOf(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code === 0 || isSurrogate || code > 0x10ffff) return '\ufffd';
  return code < 0x20 ? ' ' : String.fromCodePoint(code);
}
