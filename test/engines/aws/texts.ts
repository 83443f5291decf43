/** Amazon Translate, Amazon Bedrock and Amazon Comprehend. */
import * as bedrockSdk from '@aws-sdk/client-bedrock-runtime';
import * as comprehendSdk from '@aws-sdk/client-comprehend';
import * as translateSdk from '@aws-sdk/client-translate';
import { comprehend } from '../../../engines/text-analysis/aws-comprehend.ts';
import { converse } from '../../../engines/translation/aws-bedrock.ts';
import { translateTexts } from '../../../engines/translation/aws-translate.ts';
import { type Call, commonErrors, commonFates, type Service } from './calls.ts';
import { type Answer, driving } from './wire.ts';

const sentences = ['One.', 'Two.'];

const translateService: Service = {
  name: 'translate',
  sdk: translateSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...commonFates,
    DetectedLanguageLowConfidenceException: 'internal_error',
    InternalServerException: 'provider_unavailable',
    InvalidRequestException: 'internal_error',
    ResourceNotFoundException: 'engine_unavailable',
    ServiceUnavailableException: 'provider_unavailable',
    // This happens only for a single sentence, because longer texts are split earlier. A longer batch is halved.
    TextSizeLimitExceededException: 'internal_error',
    TooManyRequestsException: 'provider_throttled',
    UnsupportedLanguagePairException: 'language_unsupported',
  },
};

const bedrockService: Service = {
  name: 'bedrock-runtime',
  sdk: bedrockSdk,
  form: 'rest-json',
  common: commonErrors,
  fates: {
    ...commonFates,
    AccessDeniedException: 'engine_unavailable',
    InternalServerException: 'provider_unavailable',
    ModelErrorException: 'provider_unavailable',
    ModelNotReadyException: 'provider_throttled',
    ModelTimeoutException: 'provider_unavailable',
    ResourceNotFoundException: 'engine_unavailable',
    ServiceUnavailableException: 'provider_unavailable',
    ValidationException: 'internal_error',
  },
};

const comprehendService: Service = {
  name: 'comprehend',
  sdk: comprehendSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...commonFates,
    BatchSizeLimitExceededException: 'internal_error',
    InternalServerException: 'provider_unavailable',
    InvalidRequestException: 'internal_error',
    TextSizeLimitExceededException: 'internal_error',
    TooManyRequestsException: 'provider_throttled',
    UnsupportedLanguageException: 'language_unsupported',
  },
};

const said = (text: string, stopReason: string): Answer => ({
  answer: {
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason,
    usage: {},
    metrics: {},
  },
});

const driven = driving(comprehendSdk.ComprehendClient, comprehendService);
const analysing = (work: (engine: ReturnType<typeof comprehend>) => Promise<unknown>) =>
  driven((client) => work(comprehend(client)));

const SentimentScore = { Positive: 0.97, Negative: 0.01, Neutral: 0.01, Mixed: 0.01 };
const batch = (ResultList: object[], ErrorList: object[] = []): Answer => ({
  answer: { ResultList, ErrorList },
});
const answers = {
  BatchDetectSentiment: batch([{ Index: 0, Sentiment: 'POSITIVE', SentimentScore }]),
  BatchDetectEntities: batch([{ Index: 0, Entities: [{ Text: 'Lima', Type: 'LOCATION', Score: 0.99 }] }]),
  BatchDetectKeyPhrases: batch([{ Index: 0, KeyPhrases: [{ Text: 'a summer walk', Score: 0.99 }] }]),
};
const failed = (ErrorCode: string) => batch([], [{ Index: 0, ErrorCode }]);
/** API_BatchItemError: the code has the name of an error. */
const partial: Call['partial'] = [
  ['a document with an internal error', failed('INTERNAL_SERVER_ERROR'), 'provider_unavailable'],
  ['a document that was throttled', failed('ThrottlingException'), 'provider_throttled'],
  ['a rejected document', failed('INVALID_REQUEST'), 'internal_error'],
  ['a document without a result', batch([]), 'provider_unavailable'],
];
const analysed = {
  sentiment: { label: 'Positive' },
  entities: [{ text: 'Lima', type: 'location' }],
  keyPhrases: [{ text: 'summer walk' }],
};
const documents = { service: comprehendService, file: 'engines/text-analysis/aws-comprehend.ts' };
const analyses = (['BatchDetectSentiment', 'BatchDetectEntities', 'BatchDetectKeyPhrases'] as const).map(
  (operation): Call => ({
    ...{ ...documents, operation, answers, partial },
    drive: analysing((engine) => engine.analyze(['A long summer walk.'], { language: 'en' })),
    gives: analysed,
    asks: { TextList: ['A long summer walk.'], LanguageCode: 'en' },
  }),
);

export const texts: readonly Call[] = [
  {
    ...{
      service: translateService,
      file: 'engines/translation/aws-translate.ts',
      operation: 'TranslateText',
    },
    answers: {
      TranslateText: {
        answer: { TranslatedText: 'Uno.\nDos.', SourceLanguageCode: 'en', TargetLanguageCode: 'es' },
      },
    },
    drive: driving(
      translateSdk.TranslateClient,
      translateService,
    )((client) => translateTexts(client, 'house').translate(sentences, { source: 'en-US', target: 'pt-BR' })),
    gives: ['Uno.', 'Dos.'],
    // The language codes of the service have no regions here.
    asks: {
      Text: 'One.\nTwo.',
      SourceLanguageCode: 'en',
      TargetLanguageCode: 'pt',
      TerminologyNames: ['house'],
    },
    partial: [['an answer without a text', { answer: {} }, 'provider_unavailable']],
  },
  {
    ...{ service: bedrockService, file: 'engines/translation/aws-bedrock.ts', operation: 'Converse' },
    answers: { Converse: said('{"1": "Uno.", "2": "Dos."}', 'end_turn') },
    drive: driving(
      bedrockSdk.BedrockRuntimeClient,
      bedrockService,
    )((client) =>
      converse(client, 'amazon.nova-lite-v1:0').translate(sentences, { source: 'en', target: 'es' }),
    ),
    gives: ['Uno.', 'Dos.'],
    asks: { modelId: 'amazon.nova-lite-v1:0' },
    // API_runtime_Converse, stopReason.
    partial: [
      ['an answer that is cut off', said('{"1": "Uno.", "2"', 'max_tokens'), 'internal_error'],
      ['an answer that a guardrail stopped', said('Sorry, no.', 'guardrail_intervened'), 'internal_error'],
      ['an answer that was filtered', said('', 'content_filtered'), 'internal_error'],
      ['an answer without a message', { answer: {} }, 'internal_error'],
    ],
  },
  {
    ...{ ...documents, operation: 'DetectDominantLanguage' },
    answers: { DetectDominantLanguage: { answer: { Languages: [{ LanguageCode: 'es', Score: 0.99 }] } } },
    drive: analysing((engine) => engine.languageOf!(['Hola.'])),
    gives: 'es',
    asks: { Text: 'Hola.' },
    partial: [['no language', { answer: { Languages: [] } }, { gives: null }]],
  },
  ...analyses,
];
