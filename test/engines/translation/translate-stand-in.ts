/**
 * A stand-in for Amazon Translate (aws-sdk-client-mock) with the documented answers of TranslateText. Nothing reaches
 * AWS, so it does not prove that AWS still behaves as documented.
 */
import {
  TextSizeLimitExceededException,
  TranslateClient,
  TranslateTextCommand,
} from '@aws-sdk/client-translate';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(TranslateClient);
export const answered = { $metadata: {}, message: '' };

/** Translates words to capitals, keeps lines and marks, and rejects long texts. */
export function simulate(): void {
  service.on(TranslateTextCommand).callsFake(({ Text, SourceLanguageCode, TargetLanguageCode }) => {
    if (Buffer.byteLength(Text) > 10_000) throw new TextSizeLimitExceededException(answered);
    return {
      TranslatedText: Text.replace(/(?<!\S)\p{L}+(?=[.,?!]?(?!\S))/gu, (word: string) => word.toUpperCase()),
      SourceLanguageCode,
      TargetLanguageCode,
    };
  });
}
