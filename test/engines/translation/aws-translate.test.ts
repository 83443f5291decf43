import {
  TextSizeLimitExceededException,
  TranslateClient,
  TranslateTextCommand,
} from '@aws-sdk/client-translate';
import { beforeEach, describe, expect, it } from 'vitest';
import { translateTexts } from '../../../engines/translation/aws-translate.ts';
import { answered, service, simulate } from './translate-stand-in.ts';

const client = new TranslateClient({ region: 'eu-central-1' });
const engine = translateTexts(client, '');
const spanish = { source: 'en', target: 'es' };
const calls = () => service.commandCalls(TranslateTextCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  service.reset();
  simulate();
});

describe('Amazon Translate', () => {
  it('receives at most its maximum text size', async () => {
    const sentences = Array.from(
      { length: 900 },
      (_, at) => `Ein längerer Satz mit der Nummer ${at}, höchstens.`,
    );
    expect(await engine.translate(sentences, { source: 'de', target: 'en' })).toEqual(
      sentences.map((one) => one.toUpperCase()),
    );
    const bytes = calls().map(({ Text }) => Buffer.byteLength(Text!));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(10_000);
    expect(bytes.length).toBeLessThan(7);
  });

  it('receives each half if it rejects a batch as too long, or returns the wrong number of lines', async () => {
    service.on(TranslateTextCommand).callsFake(({ Text }) => {
      if (Text.split('\n').length > 3) throw new TextSizeLimitExceededException(answered);
      return { TranslatedText: Text.toUpperCase().replace('B\nC', 'B C') };
    });
    expect(await engine.translate(['a', 'b', 'c', 'd', 'e'], spanish)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });
});
