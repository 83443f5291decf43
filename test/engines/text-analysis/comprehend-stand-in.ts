/**
 * A stand-in for Amazon Comprehend (aws-sdk-client-mock) with documented answers. Nothing reaches AWS, so it does not
 * prove that AWS still behaves as documented.
 */
import {
  BatchDetectEntitiesCommand,
  BatchDetectKeyPhrasesCommand,
  BatchDetectSentimentCommand,
  ComprehendClient,
  DetectDominantLanguageCommand,
  TextSizeLimitExceededException,
} from '@aws-sdk/client-comprehend';
import { mockClient } from 'aws-sdk-client-mock';
import { detectLanguage } from '../../../engines/text-analysis/common-words.ts';
import { englishNames } from '../../../engines/text-analysis/find-english-names.ts';
import { spanishNames } from '../../../engines/text-analysis/find-spanish-names.ts';
import { sentimentOf } from '../../../engines/text-analysis/score-sentiment.ts';

export const service = mockClient(ComprehendClient);
const answered = { $metadata: {}, message: '' };

type Request = { TextList: string[]; LanguageCode: string };

const types = { person: 'PERSON', organization: 'ORGANIZATION', location: 'LOCATION', date: 'DATE' } as const;

/** Returns the results of our own rules, and rejects long documents and large batches. */
export async function simulate(): Promise<void> {
  const { default: compromise } = await import('compromise');
  const each =
    <Result>(find: (text: string, language: string) => Result) =>
    async ({ TextList, LanguageCode }: Request) => {
      const isTooLong = TextList.length > 25 || TextList.some((text) => Buffer.byteLength(text) >= 5000);
      if (isTooLong) throw new TextSizeLimitExceededException(answered);
      return {
        ResultList: TextList.map((text, Index) => ({ Index, ...find(text, LanguageCode) })),
        ErrorList: [],
      };
    };
  service.on(DetectDominantLanguageCommand).callsFake(async ({ Text }) => {
    const LanguageCode = detectLanguage(Text);
    return { Languages: [{ LanguageCode: LanguageCode ?? 'eo', Score: LanguageCode ? 0.99 : 0.3 }] };
  });
  service.on(BatchDetectSentimentCommand).callsFake(
    each((text, language) => {
      const { label, score } = sentimentOf([text], language) ?? { label: 'Neutral', score: 1 };
      const rest = (1 - score) / 3;
      const scores = { Positive: rest, Negative: rest, Neutral: rest, Mixed: rest, [label]: score };
      return { Sentiment: label.toUpperCase(), SentimentScore: scores };
    }),
  );
  service.on(BatchDetectEntitiesCommand).callsFake(
    each((text, language) => ({
      Entities: (language === 'en' ? englishNames([text], compromise) : spanishNames([text])).map((one) => ({
        Text: one.text,
        Type: types[one.type as keyof typeof types] ?? 'OTHER',
        Score: 0.98,
      })),
    })),
  );
  service.on(BatchDetectKeyPhrasesCommand).callsFake(
    each((text) => ({
      KeyPhrases: [...text.matchAll(/\p{L}+ \p{L}+/gu)].map(([Text]) => ({ Text, Score: 0.97 })),
    })),
  );
}
