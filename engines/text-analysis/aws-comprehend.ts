/** Amazon Comprehend: language, sentiment, entities and key phrases of documents of up to 5,000 bytes, 25 a request. */
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
import {
  internalError,
  type JobError,
  languageUnsupported,
  providerThrottled,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import {
  holdingBack,
  isPassing,
  isThrottling,
  patience,
  refusalBy,
  type ServiceError,
} from '../aws/requests.ts';
import { primarySubtag } from '../engine.ts';
import { commonWords } from './common-words.ts';
import { ranked } from './find-key-phrases.ts';
import {
  type EntityType,
  type FoundEntity,
  MOST_ENTITIES,
  type Sentiment,
  type TextAnalysis,
  textAnalysisEngine,
} from './port.ts';
import { mostOf } from './score-sentiment.ts';

/** Amazon Comprehend Developer Guide, "Supported languages": those of sentiment, entities and key phrases. */
const languages = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'zh', 'zh-TW'];

export const amazonComprehend = textAnalysisEngine({
  name: 'amazon-comprehend',
  runs: ['aws'],
  // Three questions about each text: entities, key phrases, sentiment.
  price: { per: 'million_characters', usd: 3, source: 'https://aws.amazon.com/comprehend/pricing/' },
  languages,
  settings: {},
  permissions: {
    languageOf: [
      {
        actions: ['comprehend:DetectDominantLanguage'],
        resources: ['*'],
        why: 'DetectDominantLanguage reads the text of its request and has no resource to name.',
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
        why: 'The built-in models of Comprehend are no resources.',
      },
    ],
  },
  make: () => comprehend(new ComprehendClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) })),
});

/** How long an answer may take, ms. */
const ANSWER_MS = 30_000;
/** API reference, "BatchDetectSentiment": 25 documents, each "fewer than 5,000 bytes of UTF-8 encoded characters". */
const DOCUMENT_BYTES = 4900;
const BATCH = 25;
/** How often documents are sent again that failed by themselves within a batch that did not. */
const ATTEMPTS = 3;
/** Findings of less confidence are left out. */
const LEAST_SCORE = 0.7;

export function comprehend(client: Pick<ComprehendClient, 'send'>): TextAnalysis {
  return {
    async languageOf(passages, signal) {
      signal?.throwIfAborted();
      const [first] = documentsOf(passages);
      if (first === undefined) return null;
      const command = new DetectDominantLanguageCommand({ Text: first });
      const { Languages = [] } = await client
        .send(command, signal ? { abortSignal: signal } : {})
        .catch((error: ServiceError) => refused(error, 'und', signal));
      const [most] = Languages.toSorted((one, other) => (other.Score ?? 0) - (one.Score ?? 0));
      return most?.LanguageCode !== undefined && (most.Score ?? 0) >= LEAST_SCORE ? most.LanguageCode : null;
    },

    async analyze(passages, { language, signal }) {
      signal?.throwIfAborted();
      const LanguageCode = codeOf(language);
      if (LanguageCode === undefined) throw unsupported(language);
      const documents = documentsOf(passages);
      const options = signal ? { abortSignal: signal } : {};
      const asking = { language, signal };
      const sentiments = await inBatches(documents, asking, (TextList) =>
        client.send(new BatchDetectSentimentCommand({ TextList, LanguageCode }), options),
      );
      const entities = await inBatches(documents, asking, (TextList) =>
        client.send(new BatchDetectEntitiesCommand({ TextList, LanguageCode }), options),
      );
      const phrases = await inBatches(documents, asking, (TextList) =>
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

interface Asking {
  readonly language: string;
  readonly signal: AbortSignal | undefined;
}

/** The result of each document, in order. Those that fail by themselves are sent again. */
async function inBatches<Result extends { Index?: number | undefined }>(
  documents: readonly string[],
  { language, signal }: Asking,
  send: (texts: string[]) => Promise<BatchAnswer<Result>>,
): Promise<Result[]> {
  const results = new Array<Result | undefined>(documents.length);
  for (let from = 0; from < documents.length; from += BATCH) {
    let open = documents.slice(from, from + BATCH).map((_, at) => from + at);
    for (let attempt = 1; open.length > 0; attempt += 1) {
      signal?.throwIfAborted();
      const sent = open;
      const answer = await send(sent.map((at) => documents[at]!)).catch((error: ServiceError) =>
        refused(error, language, signal),
      );
      for (const result of answer.ResultList ?? []) results[sent[result.Index ?? -1] ?? -1] = result;
      open = sent.filter((at) => results[at] === undefined);
      if (open.length > 0 && attempt === ATTEMPTS) throw unfinished(answer.ErrorList ?? []);
    }
  }
  return results as Result[];
}

/** Passages, a line each, in documents that are small enough; one that alone is too long is cut. */
export function documentsOf(passages: readonly string[]): string[] {
  const documents: string[] = [];
  let open = '';
  for (const passage of passages.flatMap(cut)) {
    const longer = open === '' ? passage : `${open}\n${passage}`;
    if (Buffer.byteLength(longer) <= DOCUMENT_BYTES) open = longer;
    else {
      documents.push(open);
      open = passage;
    }
  }
  return [...documents, open].filter((document) => document.trim() !== '');
}

function cut(passage: string): string[] {
  if (Buffer.byteLength(passage) <= DOCUMENT_BYTES) return [passage];
  const parts: string[] = [];
  let part = '';
  for (const character of passage) {
    if (Buffer.byteLength(part) + Buffer.byteLength(character) > DOCUMENT_BYTES) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

/** The mean of the documents, by their length. What is mixed is as much neither as both: it counts as neutral. */
function sentimentOf(
  results: readonly Pick<BatchDetectSentimentItemResult, 'SentimentScore'>[],
  documents: readonly string[],
): Sentiment | null {
  if (results.length === 0) return null;
  const weights = { Positive: 0, Negative: 0, Neutral: 0 };
  for (const [at, { SentimentScore: score = {} }] of results.entries()) {
    const length = documents[at]!.length;
    weights.Positive += length * (score.Positive ?? 0);
    weights.Negative += length * (score.Negative ?? 0);
    weights.Neutral += length * ((score.Neutral ?? 0) + (score.Mixed ?? 0));
  }
  return mostOf(weights);
}

/** QUANTITY is left out: numbers are no names. */
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
  const found = new Map<string, { entity: FoundEntity; count: number }>();
  for (const { Text = '', Type = '', Score = 0 } of mentions) {
    const type = types[Type];
    const text = Text.trim();
    if (type === undefined || text === '' || Score < LEAST_SCORE) continue;
    const key = `${type} ${text.toLowerCase()}`;
    const before = found.get(key);
    const confidence = Math.max(before?.entity.confidence ?? 0, Math.round(Score * 1000) / 1000);
    const entity = { text: before?.entity.text ?? text, type, confidence };
    found.set(key, { entity, count: (before?.count ?? 0) + 1 });
  }
  return [...found.values()]
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_ENTITIES)
    .map(({ entity }) => entity);
}

/** Without the articles that phrases begin with, and those that are nothing but common words. */
function phrasesOf(phrases: readonly Mention[], language: string) {
  const common = commonWords(language);
  const weights = new Map<string, number>();
  for (const { Text = '', Score = 0 } of phrases) {
    if (Score < LEAST_SCORE) continue;
    const words = Text.normalize('NFC').toLowerCase().split(/\s+/);
    while (words.length > 0 && common.has(words[0]!)) words.shift();
    const text = words.join(' ').trim();
    if (text.length > 1) weights.set(text, (weights.get(text) ?? 0) + Score);
  }
  return ranked([...weights].map(([text, weight]) => ({ text, weight })));
}

const codeOf = (tag: string): LanguageCode | undefined => {
  const isTraditional = /^zh-(?:hant|tw|hk)/i.test(tag);
  const code = isTraditional ? 'zh-TW' : primarySubtag(tag);
  return languages.includes(code) ? (code as LanguageCode) : undefined;
};

const unsupported = (language: string) =>
  languageUnsupported(`Amazon Comprehend does not analyse texts in "${language}".`);

function unfinished(errors: readonly BatchItemError[]): JobError {
  const codes = [...new Set(errors.map(({ ErrorCode = 'unknown' }) => ErrorCode))];
  const cause = new Error(`Documents of a batch failed: ${codes.join(', ') || 'without a result'}`);
  const failures = codes.map((name) => ({ name, message: '' }));
  if (failures.length > 0 && failures.every(isThrottling))
    return providerThrottled('Amazon Comprehend takes no more texts at the moment.', cause);
  return failures.every((failure) => isPassing(failure) || /INTERNAL|SERVER/i.test(failure.name))
    ? providerUnavailable('Amazon Comprehend does not answer for some texts at the moment.', cause)
    : internalError('Amazon Comprehend refused a text. Its reason is in the log of this environment.', cause);
}

function refused(error: ServiceError, language: string, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted();
  if (error.name === 'UnsupportedLanguageException') throw unsupported(language);
  throw refusalBy('Amazon Comprehend', 'a text', error);
}
