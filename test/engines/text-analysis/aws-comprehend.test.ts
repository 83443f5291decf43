import {
  BatchDetectEntitiesCommand,
  BatchDetectKeyPhrasesCommand,
  BatchDetectSentimentCommand,
  ComprehendClient,
} from '@aws-sdk/client-comprehend';
import { beforeEach, describe, expect, it } from 'vitest';
import { comprehend, documentsOf } from '../../../engines/text-analysis/aws-comprehend.ts';
import { service, simulate } from './comprehend-stand-in.ts';

const client = new ComprehendClient({ region: 'us-east-1' });
const engine = comprehend(client);
const request = { language: 'en' };

beforeEach(async () => {
  service.reset();
  await simulate();
});

describe('documents for Comprehend', () => {
  it('are below 5,000 bytes, keep whole sentences if they fit, and lose nothing', () => {
    const passages = [
      ...Array.from({ length: 300 }, (_, i) => `Sentence ${i} about ñandúes.`),
      'é'.repeat(6000),
    ];
    const documents = documentsOf(passages);
    for (const document of documents) expect(Buffer.byteLength(document)).toBeLessThan(5000);
    expect(documents.join('\n').replaceAll('\n', '')).toBe(passages.join(''));
    expect(documents[0]!.endsWith('.')).toBe(true);
  });

  it('are sent 25 at a time', async () => {
    await engine.analyze(
      Array.from({ length: 60 }, (_, i) => `${i} ${'word '.repeat(900)}`),
      request,
    );
    const sizes = service
      .commandCalls(BatchDetectSentimentCommand)
      .map(({ args }) => args[0].input.TextList!.length);
    expect(sizes).toEqual([25, 25, 10]);
  });
});

describe('the answer of Comprehend', () => {
  it('is combined: sentiment weighted by length, and mixed as neutral', async () => {
    service.on(BatchDetectSentimentCommand).resolves({
      ResultList: [{ Index: 0, SentimentScore: { Positive: 0.1, Negative: 0.1, Neutral: 0.3, Mixed: 0.5 } }],
      ErrorList: [],
    });
    expect((await engine.analyze(['So so.'], request)).sentiment).toEqual({ label: 'Neutral', score: 0.8 });
  });

  it('keeps each name once with its best score, without numbers and low scores', async () => {
    service.on(BatchDetectEntitiesCommand).resolves({
      ResultList: [
        {
          Index: 0,
          Entities: [
            { Text: 'Ana Ruiz', Type: 'PERSON', Score: 0.9 },
            { Text: 'iPhone', Type: 'COMMERCIAL_ITEM', Score: 0.95 },
            { Text: 'ana ruiz', Type: 'PERSON', Score: 0.99 },
            { Text: '200', Type: 'QUANTITY', Score: 0.99 },
            { Text: 'Perhaps', Type: 'EVENT', Score: 0.4 },
          ],
        },
      ],
      ErrorList: [],
    });
    expect((await engine.analyze(['Ana Ruiz'], request)).entities).toEqual([
      { text: 'Ana Ruiz', type: 'person', confidence: 0.99 },
      { text: 'iPhone', type: 'product', confidence: 0.95 },
    ]);
  });

  it('returns key phrases without leading articles', async () => {
    service.on(BatchDetectKeyPhrasesCommand).resolves({
      ResultList: [
        {
          Index: 0,
          KeyPhrases: [
            { Text: 'The climate', Score: 0.9 },
            { Text: 'this', Score: 0.9 },
          ],
        },
      ],
      ErrorList: [],
    });
    expect((await engine.analyze(['The climate'], request)).keyPhrases).toEqual([
      { text: 'climate', relevance: 1 },
    ]);
  });
});

describe('documents that fail', () => {
  const failing = { Index: 0, ErrorCode: 'INTERNAL_SERVER_ERROR', ErrorMessage: 'again' };

  it('are sent again without the rest of the batch', async () => {
    const whole = { SentimentScore: { Positive: 1 } };
    service
      .on(BatchDetectSentimentCommand)
      .resolvesOnce({ ResultList: [{ Index: 1, ...whole }], ErrorList: [failing] })
      .resolves({ ResultList: [{ Index: 0, ...whole }], ErrorList: [] });
    const passages = ['a'.repeat(4000), 'b'.repeat(4000)];
    expect((await engine.analyze(passages, request)).sentiment).toEqual({ label: 'Positive', score: 1 });
    const sent = service.commandCalls(BatchDetectSentimentCommand).map(({ args }) => args[0].input.TextList);
    expect(sent).toEqual([passages, [passages[0]]]);
  });
});
