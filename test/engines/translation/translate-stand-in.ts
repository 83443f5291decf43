/**
 * Amazon Translate by aws-sdk-client-mock, which answers in the shapes of the API reference (TranslateText): nothing here
 * reaches the service, and nothing proves that it still behaves as documented.
 */
import {
  TextSizeLimitExceededException,
  TranslateClient,
  TranslateTextCommand,
} from '@aws-sdk/client-translate';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(TranslateClient);
export const answered = { $metadata: {}, message: '' };

/** Translates words into capitals, keeps lines and marks, and refuses what is too long. */
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
