/** Stores answers of an engine until the translation is stored. A retry therefore pays for no sentence twice. */
import { createHash } from 'node:crypto';
import type { TranslationEngine } from '../../../engines/translation/port.ts';
import type { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { list, parseJson, text } from '../../../shared/parse.ts';

/** Sentences per stored answer. A crash loses at most one answer, and requests to the engine stay large enough. */
const SENTENCES_AT_ONCE = 200;

/**
 * @param prefix the prefix of the objects with answers. The step that ends the job removes these objects.
 * @param answered called after each stored answer, with its number of characters and a key, which is the same in a retry
 */
export function remembering(
  { translate }: TranslationEngine,
  {
    name,
    objects,
    prefix,
    answered,
  }: {
    readonly name: string;
    readonly objects: Pick<MediaObjects, 'read' | 'write'>;
    readonly prefix: string;
    readonly answered: (name: string, characters: number) => Promise<void>;
  },
): TranslationEngine['translate'] {
  return async (sentences, request) => {
    const { source, target, onProgress } = request;
    const translated: string[] = [];
    while (translated.length < sentences.length) {
      const from = translated.length;
      const asked = sentences.slice(from, from + SENTENCES_AT_ONCE);
      const digest = digestOf([name, source, target, asked]);
      const key = `${prefix}${digest}.json`;
      const report = () =>
        answered(
          `${from}#${digest}`,
          asked.reduce((sum, text) => sum + text.length, 0),
        );
      const kept = await objects.read(key);
      if (kept !== null) {
        translated.push(...parseJson(list(text), kept));
        await report();
        continue;
      }
      const reached = (fraction: number) => onProgress?.((from + fraction * asked.length) / sentences.length);
      const answer = await translate(asked, { ...request, onProgress: reached });
      await objects.write(key, JSON.stringify(answer), 'application/json');
      translated.push(...answer);
      await report();
    }
    return translated;
  };
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
