import {
  InternalServerException,
  InvalidRequestException,
  TextSizeLimitExceededException,
  TooManyRequestsException,
  TranslateClient,
  TranslateTextCommand,
  UnsupportedLanguagePairException,
} from '@aws-sdk/client-translate';
import { beforeEach, describe, expect, it } from 'vitest';
import { translateTexts } from '../../../engines/translation/aws-translate.ts';
import { answered, service, simulate } from './translate-stand-in.ts';

const client = new TranslateClient({ region: 'eu-central-1' });
const engine = (terminology: string | null = null) => translateTexts({ client, terminology });
const spanish = { source: 'en', target: 'es' };
const calls = () => service.commandCalls(TranslateTextCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  service.reset();
  simulate();
});

describe('Amazon Translate', () => {
  it('is asked for many sentences at once, by its own codes and with the terminology of the account', async () => {
    const answers = await engine('house').translate(['One.', 'Two.'], { source: 'en-US', target: 'pt-BR' });
    expect(answers).toEqual(['ONE.', 'TWO.']);
    expect(calls()).toEqual([
      { Text: 'One.\nTwo.', SourceLanguageCode: 'en', TargetLanguageCode: 'pt', TerminologyNames: ['house'] },
    ]);
  });

  it('is never sent more than it takes', async () => {
    const sentences = Array.from(
      { length: 900 },
      (_, at) => `Ein längerer Satz mit der Nummer ${at}, höchstens.`,
    );
    expect(await engine().translate(sentences, { source: 'de', target: 'en' })).toEqual(
      sentences.map((one) => one.toUpperCase()),
    );
    const bytes = calls().map(({ Text }) => Buffer.byteLength(Text!));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(10_000);
    expect(bytes.length).toBeLessThan(7);
  });

  it('is asked again by halves where it takes less than it says, or answers other lines than it was sent', async () => {
    service.on(TranslateTextCommand).callsFake(({ Text }) => {
      if (Text.split('\n').length > 3) throw new TextSizeLimitExceededException(answered);
      return { TranslatedText: Text.toUpperCase().replace('B\nC', 'B C') };
    });
    expect(await engine().translate(['a', 'b', 'c', 'd', 'e'], spanish)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it.each([
    [new TooManyRequestsException(answered), 'provider_unavailable', true],
    [new InternalServerException(answered), 'provider_unavailable', true],
    [Object.assign(new Error(), { name: 'ThrottlingException' }), 'provider_unavailable', true],
    [Object.assign(new Error(), { code: 'ECONNRESET' }), 'provider_unavailable', true],
    [new UnsupportedLanguagePairException(answered), 'language_unsupported', false],
    [new TextSizeLimitExceededException(answered), 'internal_error', true],
    [new InvalidRequestException(answered), 'internal_error', true],
  ])('tells %s as %s', async (error, code, retryable) => {
    service.on(TranslateTextCommand).rejects(error);
    await expect(engine().translate(['One.'], spanish)).rejects.toMatchObject({ code, retryable });
  });
});
