/** Writes (and, in vtt-reader.ts, reads) WebVTT (W3C WebVTT: The Web Video Text Tracks Format). */

import type { Cue } from './cue.ts';
import { inOnePlace } from './sound-cues.ts';
import { cleanText, payload } from './text.ts';
import { timestamp, writableCues } from './timestamps.ts';
import { escapeCueText } from './vtt-text.ts';

export { parseVtt } from './vtt-reader.ts';

export type VttOptions = {
  /**
   * `standard` carries who speaks (`<v Ana>`), cue identifiers, positions and a note of the language;
   * `simplified` carries times and text alone.
   */
  flavor: 'standard' | 'simplified';
  /** BCP 47 tag, for the note and for where lines may break. */
  language?: string;
};

/**
 * A WebVTT file of the cues that have any text, in order of their start; `\n` line ends, no byte order
 * mark. Whatever the cues hold, the file is valid: texts are escaped and cleaned, impossible times mended.
 */
export function writeVtt(cues: readonly Cue[], { flavor, language }: VttOptions): string {
  const isStandard = flavor === 'standard';
  const writable = writableCues(cues);
  const shown = isStandard ? writable : inOnePlace(writable, language);
  let file = 'WEBVTT\n';
  if (isStandard && language) file += `\nNOTE Language: ${escapeCueText(cleanText(language))}\n`;
  const voices = new VoiceTags();
  let number = 0;
  for (const cue of shown) {
    const text = isStandard ? voices.textOf(cue) : payload(cue.lines, escapeCueText);
    if (text === '') continue;
    const times = `${timestamp(cue.start_ms, '.')} --> ${timestamp(cue.end_ms, '.')}`;
    file += isStandard ? `\n${++number}\n${times}${settings(cue)}\n${text}\n` : `\n${times}\n${text}\n`;
  }
  return file;
}

// WebVTT §4.4: `line:0` is the first line from the top.
function settings(cue: Cue): string {
  return cue.position === 'top' ? ' line:0' : '';
}

/** Writes the tags of voices, of which a file has few and writes them often. */
class VoiceTags {
  readonly #written = new Map<string, string>();

  /** The lines of a cue, each in its own voice where it has several. */
  textOf({ lines, speaker, voices }: Cue): string {
    if (voices?.length === lines.length) {
      return lines
        .map((line, i) => [this.#of(voices[i]!), payload([line], escapeCueText)])
        .filter(([, text]) => text !== '')
        .map(([tag, text]) => (tag === '' ? text : `${tag}${text}</v>`))
        .join('\n');
    }
    const text = payload(lines, escapeCueText);
    // WebVTT §4.2.2: a voice span that is the whole cue may leave out its end tag.
    return text === '' ? '' : this.#of(speaker) + text;
  }

  #of(speaker: string | null): string {
    if (speaker === null) return '';
    let tag = this.#written.get(speaker);
    if (tag === undefined) {
      const name = cleanText(speaker);
      tag = name === '' ? '' : `<v ${escapeCueText(name)}>`;
      this.#written.set(speaker, tag);
    }
    return tag;
  }
}
