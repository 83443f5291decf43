/** Many sentences in one text: an engine is asked seldom, and the sentences are found again in what it answers. */

export interface Batching {
  /** The longest text that the engine takes at once, bytes of UTF-8. */
  readonly max_bytes: number;
  /** Stands between sentences, and does so in the answer. */
  readonly separator: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Each sentence translated, by as few calls of `translate` as there is room for. A sentence without letters stays; one that
 * is longer than the room is cut at spaces. Where the answer has not as many sentences as were asked for, each half is asked
 * for alone.
 * @param translate translates the text of a batch
 */
export async function inBatches(
  sentences: readonly string[],
  { max_bytes, separator, signal, onProgress }: Batching,
  translate: (text: string) => Promise<string>,
): Promise<string[]> {
  const pieces = sentences.flatMap((sentence, at) =>
    hasWords(sentence) ? cutAtSpaces(onOneLine(sentence), max_bytes).map((text) => ({ at, text })) : [],
  );
  const translated: string[] = [];

  async function ask(texts: readonly string[]): Promise<void> {
    signal?.throwIfAborted();
    const answer = await translate(texts.join(separator));
    const found = answer
      .split(separator.trim() === '' ? /\s*\n\s*/ : separator)
      .filter((text) => text.trim() !== '');
    if (texts.length === 1) translated.push(found.join(' ').trim() || texts[0]!);
    else if (found.length === texts.length) translated.push(...found.map((text) => text.trim()));
    else {
      const half = texts.length >> 1;
      await ask(texts.slice(0, half));
      await ask(texts.slice(half));
    }
  }

  for (const batch of batchesOf(
    pieces.map(({ text }) => text),
    max_bytes,
    separator,
  )) {
    await ask(batch);
    onProgress?.(translated.length / pieces.length);
  }
  const all = sentences.map((sentence) => (hasWords(sentence) ? '' : sentence));
  for (const [nth, { at }] of pieces.entries()) {
    all[at] = all[at] === '' ? translated[nth]! : `${all[at]} ${translated[nth]!}`;
  }
  return all;
}

const hasWords = (text: string) => /\p{L}/u.test(text);

/** Characters of control are no text, and some of them end lines. */
const onOneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

function batchesOf(texts: readonly string[], max_bytes: number, separator: string): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(separator);
    if (bytes > room || batches.length === 0) {
      batches.push([]);
      room = max_bytes;
    }
    batches.at(-1)!.push(text);
    room -= bytes;
  }
  return batches;
}

/** Pieces of at most so many bytes, cut at spaces; within a word where one is longer. */
function cutAtSpaces(text: string, max_bytes: number): string[] {
  if (Buffer.byteLength(text) <= max_bytes) return [text];
  const pieces = [''];
  for (const word of text.split(' ').flatMap((one) => cutWord(one, max_bytes))) {
    const longer = pieces.at(-1) === '' ? word : `${pieces.at(-1)} ${word}`;
    if (Buffer.byteLength(longer) <= max_bytes) pieces[pieces.length - 1] = longer;
    else pieces.push(word);
  }
  return pieces;
}

function cutWord(word: string, max_bytes: number): string[] {
  if (Buffer.byteLength(word) <= max_bytes) return [word];
  const characters = [...word];
  const half = characters.length >> 1;
  return [characters.slice(0, half), characters.slice(half)].flatMap((part) =>
    cutWord(part.join(''), max_bytes),
  );
}
