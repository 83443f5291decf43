/** What an engine answered is kept until its translation is: a step that is repeated does not ask, and pay, again. */
import { createHash } from 'node:crypto';
import type { TranslationEngine } from '../../../engines/translation/port.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';

/** An answer is kept for so many sentences: what is lost is no more than one, and an engine is not asked too often. */
const SENTENCES_AT_ONCE = 200;

/**
 * @param prefix of the objects that hold answers; whoever ends the work removes them
 * @param answered hears of each answer once it is kept, by a name that a repeat gives it as well, and of how many characters it is
 */
export function remembering(
  { translate }: TranslationEngine,
  name: string,
  objects: Pick<MediaObjects, 'read' | 'write'>,
  prefix: string,
  answered: (name: string, characters: number) => Promise<void>,
): TranslationEngine['translate'] {
  return async (sentences, request) => {
    const { source, target, onProgress } = request;
    const translated: string[] = [];
    while (translated.length < sentences.length) {
      const from = translated.length;
      const asked = sentences.slice(from, from + SENTENCES_AT_ONCE);
      const digest = digestOf([name, source, target, asked]);
      const key = `${prefix}${digest}.json`;
      const told = () =>
        answered(
          `${from}#${digest}`,
          asked.reduce((sum, text) => sum + text.length, 0),
        );
      const kept = await objects.read(key);
      if (kept !== null) {
        translated.push(...(JSON.parse(Buffer.from(kept).toString('utf8')) as string[]));
        await told();
        continue;
      }
      const reached = (fraction: number) => onProgress?.((from + fraction * asked.length) / sentences.length);
      const answer = await translate(asked, { ...request, onProgress: reached });
      await objects.write(key, JSON.stringify(answer), 'application/json');
      translated.push(...answer);
      await told();
    }
    return translated;
  };
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
