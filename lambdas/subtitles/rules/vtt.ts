/** Writes WebVTT (W3C WebVTT: The Web Video Text Tracks Format). The reader is in vtt-reader.ts. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { Cue } from './cue.ts';
import { cleanText, cueText } from './text.ts';
import { timestamp, writableCues } from './timestamps.ts';
import { joinTopCues } from './top-cues.ts';
import { escapeCueText } from './vtt-text.ts';

export { parseVtt } from './vtt-reader.ts';

export type VttOptions = {
  /**
   * `standard` has speakers (`<v Ana>`), cue identifiers, positions, and a note with the language.
   * `simplified` has only times and text.
   */
  flavor: 'standard' | 'simplified';
  /** BCP 47 tag, used for the note and for line breaks. */
  language?: string | undefined;
};

/**
 * Writes a WebVTT file. Cues without text are left out, and the rest are ordered by start. The file has `\n` line ends
 * and no byte order mark. It is always valid: the writer cleans and escapes texts, and corrects impossible times.
 */
export function writeVtt(cues: readonly Cue[], { flavor, language }: VttOptions): string {
  const isStandard = flavor === 'standard';
  const writable = writableCues(cues);
  const shown = isStandard ? writable : joinTopCues(writable, language);
  let file = 'WEBVTT\n';
  if (isStandard && language) file += `\nNOTE Language: ${escapeCueText(cleanText(language))}\n`;
  const voices = new VoiceTags();
  let number = 0;
  for (const cue of shown) {
    const text = isStandard ? voices.textOf(cue) : cueText(cue.lines, escapeCueText);
    if (text === '') continue;
    const times = `${timestamp(cue.start_ms, '.')} --> ${timestamp(cue.end_ms, '.')}`;
    // WebVTT §4.4: `line:0` is the first line from the top.
    const settings = cue.position === 'top' ? ' line:0' : '';
    file += isStandard ? `\n${++number}\n${times}${settings}\n${text}\n` : `\n${times}\n${text}\n`;
  }
  return file;
}

/** Writes voice tags, and caches them: a file repeats a few tags. */
class VoiceTags {
  readonly #written = new Map<string, string>();

  /** The lines of a cue. If it has several voices, each line has its own tag. */
  textOf({ lines, speaker, voices }: Cue): string {
    if (voices?.length === lines.length) {
      return lines
        .map((line, i) => [this.#of(itemAt(voices, i)), cueText([line], escapeCueText)])
        .filter(([, text]) => text !== '')
        .map(([tag, text]) => (tag === '' ? text : `${tag}${text}</v>`))
        .join('\n');
    }
    const text = cueText(lines, escapeCueText);
    // WebVTT §4.2.2: a voice span of the whole cue may omit its end tag.
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
