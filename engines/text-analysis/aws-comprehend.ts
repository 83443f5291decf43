/** Amazon Comprehend, for up to 25 documents of 5,000 bytes a request. `ENGINE_TEXT_ANALYSIS=amazon-comprehend` */
import {
  BatchDetectEntitiesCommand,
  BatchDetectKeyPhrasesCommand,
  BatchDetectSentimentCommand,
  type BatchDetectSentimentItemResult,
  type BatchItemError,
  ComprehendClient,
  DetectDominantLanguageCommand,
  type LanguageCode,
} from '@aws-sdk/client-comprehend';
import { itemAt } from '../../shared/checked-access.ts';
import {
  internalError,
  type JobError,
  languageUnsupported,
  providerThrottled,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import { holdingBack, isPassing, isThrottling, patience, requestsTo } from '../aws/requests.ts';
import { primarySubtag } from '../engine.ts';
import { byteLength, groupTexts, splitText } from '../split-text.ts';
import { commonWords } from './common-words.ts';
import { rankPhrases } from './find-key-phrases.ts';
import {
  type AnalysisRequest,
  type EntityType,
  type FoundEntity,
  MOST_ENTITIES,
  type Sentiment,
  type TextAnalysis,
  textAnalysisEngine,
} from './port.ts';
import { heaviest } from './score-sentiment.ts';

/** Amazon Comprehend Developer Guide, "Supported languages", for sentiment, entities and key phrases. */
const languages: LanguageCode[] = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'zh', 'zh-TW'];

export const amazonComprehend = textAnalysisEngine({
  name: 'amazon-comprehend',
  runs: ['aws'],
  // Three requests for each text: entities, key phrases and sentiment.
  price: { per: 'million_characters', usd: 3, source: 'https://aws.amazon.com/comprehend/pricing/' },
  languages,
  permissions: {
    languageOf: [
      {
        actions: ['comprehend:DetectDominantLanguage'],
        resources: ['*'],
        why: 'DetectDominantLanguage has no resources that a policy could name.',
      },
    ],
    analyze: [
      {
        actions: [
          'comprehend:BatchDetectEntities',
          'comprehend:BatchDetectKeyPhrases',
          'comprehend:BatchDetectSentiment',
        ],
        resources: ['*'],
        why: 'The built-in models of Comprehend are not resources.',
      },
    ],
  },
  make: () => comprehend(new ComprehendClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) })),
});

const ANSWER_MS = 30_000;
/** The limits of BatchDetectSentiment (API reference): 25 documents, each "fewer than 5,000 bytes of UTF-8 encoded characters". */
const MAX_DOCUMENT_BYTES = 4900;
const MAX_DOCUMENTS = 25;
/** The maximum number of requests for a document that fails while other documents of its batch succeed. */
const ATTEMPTS = 3;
const MIN_SCORE = 0.7;

const askComprehend = requestsTo('Amazon Comprehend', 'a text');

export function comprehend(client: Pick<ComprehendClient, 'send'>): TextAnalysis {
  return {
    async languageOf(passages, signal) {
      signal?.throwIfAborted();
      const [first] = documentsOf(passages);
      if (first === undefined) return null;
      const command = new DetectDominantLanguageCommand({ Text: first });
      const { Languages = [] } = await askComprehend((options) => client.send(command, options), { signal });
      const [most] = Languages.toSorted((one, other) => (other.Score ?? 0) - (one.Score ?? 0));
      return most?.LanguageCode !== undefined && (most.Score ?? 0) >= MIN_SCORE ? most.LanguageCode : null;
    },

    async analyze(passages, request) {
      const { language, signal } = request;
      signal?.throwIfAborted();
      const LanguageCode = codeOf(language);
      if (LanguageCode === undefined) throw unsupported(language);
      const documents = documentsOf(passages);
      const sentiments = await sendInBatches(documents, request, (TextList, options) =>
        client.send(new BatchDetectSentimentCommand({ TextList, LanguageCode }), options),
      );
      const entities = await sendInBatches(documents, request, (TextList, options) =>
        client.send(new BatchDetectEntitiesCommand({ TextList, LanguageCode }), options),
      );
      const phrases = await sendInBatches(documents, request, (TextList, options) =>
        client.send(new BatchDetectKeyPhrasesCommand({ TextList, LanguageCode }), options),
      );
      return {
        sentiment: sentimentOf(sentiments, documents),
        entities: entitiesOf(entities.flatMap(({ Entities = [] }) => Entities)),
        keyPhrases: phrasesOf(
          phrases.flatMap(({ KeyPhrases = [] }) => KeyPhrases),
          language,
        ),
      };
    },
  };
}

interface BatchAnswer<Result> {
  readonly ResultList: Result[] | undefined;
  readonly ErrorList: BatchItemError[] | undefined;
}

async function sendInBatches<Result extends { Index?: number | undefined }>(
  documents: readonly string[],
  { language, signal }: AnalysisRequest,
  send: (texts: string[], options: { abortSignal?: AbortSignal }) => Promise<BatchAnswer<Result>>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  for (let from = 0; from < documents.length; from += MAX_DOCUMENTS) {
    let open = [...documents.entries()].slice(from, from + MAX_DOCUMENTS);
    for (let attempt = 1; open.length > 0; attempt += 1) {
      signal?.throwIfAborted();
      const sent = open;
      const texts = sent.map(([, text]) => text);
      const { ResultList, ErrorList } = await askComprehend((options) => send(texts, options), {
        signal,
        onError({ name }) {
          if (name === 'UnsupportedLanguageException') throw unsupported(language);
          return undefined;
        },
      });
      for (const result of ResultList ?? []) {
        const [at] = sent[result.Index ?? -1] ?? [];
        if (at !== undefined) results.set(at, result);
      }
      open = sent.filter(([at]) => !results.has(at));
      if (open.length > 0 && attempt === ATTEMPTS) throw unfinished(ErrorList ?? []);
    }
  }
  return documents.flatMap((_, at) => results.get(at) ?? []);
}

/** Joins passages to documents, one passage per line. Splits passages that are too long. */
export const documentsOf = (passages: readonly string[]): string[] =>
  groupTexts(
    passages.flatMap((passage) => splitText(passage, MAX_DOCUMENT_BYTES, byteLength)),
    MAX_DOCUMENT_BYTES,
    '\n',
  )
    .map((group) => group.join('\n'))
    .filter((document) => document.trim() !== '');

/** Returns the mean sentiment of the documents, weighted by their length. Mixed sentiment counts as neutral. */
function sentimentOf(
  results: readonly Pick<BatchDetectSentimentItemResult, 'SentimentScore'>[],
  documents: readonly string[],
): Sentiment | null {
  if (results.length === 0) return null;
  const weights = { Positive: 0, Negative: 0, Neutral: 0 };
  for (const [at, { SentimentScore: score = {} }] of results.entries()) {
    const length = documents[at]?.length ?? 0;
    weights.Positive += length * (score.Positive ?? 0);
    weights.Negative += length * (score.Negative ?? 0);
    weights.Neutral += length * ((score.Neutral ?? 0) + (score.Mixed ?? 0));
  }
  return heaviest(weights);
}

/** Kinora's type of an entity, by Comprehend's type. QUANTITY is left out, because numbers are not names. */
const types: Readonly<Record<string, EntityType>> = {
  PERSON: 'person',
  ORGANIZATION: 'organization',
  LOCATION: 'location',
  DATE: 'date',
  COMMERCIAL_ITEM: 'product',
  EVENT: 'event',
  TITLE: 'other',
  OTHER: 'other',
};

interface Mention {
  readonly Text?: string | undefined;
  readonly Type?: string | undefined;
  readonly Score?: number | undefined;
}

function entitiesOf(mentions: readonly Mention[]): FoundEntity[] {
  const sure = mentions.flatMap(({ Text = '', Type = '', Score = 0 }) => {
    const [type, text] = [types[Type], Text.trim()];
    const confidence = Math.round(Score * 1000) / 1000;
    return type === undefined || text === '' || Score < MIN_SCORE ? [] : [{ text, type, confidence }];
  });
  return [...Map.groupBy(sure, ({ text, type }) => `${type} ${text.toLowerCase()}`).values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_ENTITIES)
    .map((same) => ({
      ...itemAt(same, 0),
      confidence: Math.max(...same.map(({ confidence }) => confidence)),
    }));
}

/** Removes common words, such as articles, from the start of phrases. Removes phrases that consist only of common words. */
function phrasesOf(phrases: readonly Mention[], language: string) {
  const common = commonWords(language);
  const weights = new Map<string, number>();
  for (const { Text = '', Score = 0 } of phrases) {
    if (Score < MIN_SCORE) continue;
    const words = Text.normalize('NFC').toLowerCase().split(/\s+/);
    const text = words
      .slice(words.findIndex((word) => !common.has(word)))
      .join(' ')
      .trim();
    if (words.every((word) => common.has(word))) continue;
    if (text.length > 1) weights.set(text, (weights.get(text) ?? 0) + Score);
  }
  return rankPhrases([...weights].map(([text, weight]) => ({ text, weight })));
}

const codeOf = (tag: string): LanguageCode | undefined => {
  const isTraditional = /^zh-(?:hant|tw|hk)/i.test(tag);
  const code = isTraditional ? 'zh-TW' : primarySubtag(tag);
  return languages.find((known) => known === code);
};

const unsupported = (language: string) =>
  languageUnsupported(`Amazon Comprehend does not analyze texts in "${language}".`);

function unfinished(errors: readonly BatchItemError[]): JobError {
  const codes = [...new Set(errors.map(({ ErrorCode = 'unknown' }) => ErrorCode))];
  const cause = new Error(`Documents of a batch failed: ${codes.join(', ') || 'without a result'}`);
  const failures = codes.map((name) => ({ name, message: '' }));
  if (failures.length > 0 && failures.every(isThrottling))
    return providerThrottled('Amazon Comprehend is throttling requests.', cause);
  return failures.every((failure) => isPassing(failure) || /INTERNAL|SERVER/i.test(failure.name))
    ? providerUnavailable('Amazon Comprehend failed for some texts.', cause)
    : internalError(
        'Amazon Comprehend rejected a text. The reason is in the log of this environment.',
        cause,
      );
}
