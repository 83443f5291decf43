/** Translates many sentences with few requests. A request joins sentences to one text, and its answer is split into sentences again. */
import { byteLength, groupTexts, splitText } from '../split-text.ts';

export interface Batching {
  /** The maximum size of the text in one request, in bytes of UTF-8. */
  readonly max_bytes: number;
  /** Separates the sentences in the text and in the answer. */
  readonly separator: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Translates sentences, except those without letters. If an answer has the wrong number of sentences, translates each half again. */
export async function translateInBatches(
  sentences: readonly string[],
  { max_bytes, separator, signal, onProgress }: Batching,
  translate: (text: string) => Promise<string>,
): Promise<string[]> {
  const pieces = sentences.flatMap((sentence, at) =>
    hasWords(sentence)
      ? splitText(onOneLine(sentence), max_bytes, byteLength).map((text) => ({ at, text: text.trim() }))
      : [],
  );
  const translated: string[] = [];

  async function translateBatch(texts: readonly string[]): Promise<void> {
    signal?.throwIfAborted();
    const answer = await translate(texts.join(separator));
    const found = answer
      .split(separator.trim() === '' ? /\s*\n\s*/ : separator)
      .filter((text) => text.trim() !== '');
    const [only = ''] = texts;
    if (texts.length === 1) translated.push(found.join(' ').trim() || only);
    else if (found.length === texts.length) translated.push(...found.map((text) => text.trim()));
    else {
      const half = texts.length >> 1;
      await translateBatch(texts.slice(0, half));
      await translateBatch(texts.slice(half));
    }
  }

  const texts = pieces.map(({ text }) => text);
  for (const batch of groupTexts(texts, max_bytes, separator)) {
    await translateBatch(batch);
    onProgress?.(translated.length / pieces.length);
  }
  const all = sentences.map((sentence) => (hasWords(sentence) ? '' : sentence));
  for (const [nth, { at }] of pieces.entries()) {
    all[at] = [all[at], translated[nth]].filter((text) => text !== '').join(' ');
  }
  return all;
}

const hasWords = (text: string) => /\p{L}/u.test(text);

/** Replaces whitespace and control characters by spaces, because some of them end lines. */
const onOneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
