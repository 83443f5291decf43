/** Amazon Polly and Amazon Rekognition. */
import * as pollySdk from '@aws-sdk/client-polly';
import * as rekognitionSdk from '@aws-sdk/client-rekognition';
import { facesByRekognition } from '../../../engines/faces/aws-rekognition.ts';
import { textByRekognition } from '../../../engines/ocr/aws-rekognition.ts';
import { pollySpeech } from '../../../engines/speech/aws-polly.ts';
import { type Call, commonErrors, commonFates, type Service } from './calls.ts';
import { type Answer, type Asked, driving } from './wire.ts';

const pollyService: Service = {
  name: 'polly',
  sdk: pollySdk,
  form: 'rest-json',
  common: commonErrors,
  fates: {
    ...commonFates,
    EngineNotSupportedException: 'language_unsupported',
    InvalidSampleRateException: 'internal_error',
    InvalidSsmlException: 'internal_error',
    LanguageNotSupportedException: 'language_unsupported',
    LexiconNotFoundException: 'internal_error',
    MarksNotSupportedForFormatException: 'internal_error',
    ServiceFailureException: 'provider_unavailable',
    SsmlMarksNotSupportedForTextTypeException: 'internal_error',
    TextLengthExceededException: 'internal_error',
  },
};

const rekognitionService: Service = {
  name: 'rekognition',
  sdk: rekognitionSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...commonFates,
    HumanLoopQuotaExceededException: 'internal_error',
    ImageTooLargeException: 'internal_error',
    InternalServerError: 'provider_unavailable',
    InvalidImageFormatException: 'internal_error',
    InvalidParameterException: 'internal_error',
    InvalidS3ObjectException: 'internal_error',
    ProvisionedThroughputExceededException: 'provider_throttled',
  },
};

const spoken = (answer: string | Uint8Array, characters = 5): Answer => ({
  answer,
  headers: { 'x-amzn-requestcharacters': String(characters), 'content-type': 'audio/pcm' },
});
const mark = (time: number, value: string) => JSON.stringify({ time, type: 'word', start: 0, end: 4, value });
const speaking = (word_times: boolean) =>
  driving(
    pollySdk.PollyClient,
    pollyService,
  )((client) =>
    pollySpeech({ client, word_times }).speak('Hola.', { language: 'es', voice: 'Lucia', rate: 1 }),
  );
const sound = new Uint8Array(3200);
const words = `${mark(0, 'Hola')}\n`;
const polly = { service: pollyService, file: 'engines/speech/aws-polly.ts', operation: 'SynthesizeSpeech' };

/** Returns the sound, and the given marks if the request asks for word times. */
const marked =
  (marks: string) =>
  ({ input }: Asked): Answer =>
    spoken(input.OutputFormat === 'json' ? marks : sound);

const picture = { at_ms: 0, frame: 0, jpeg: Buffer.from('jpeg'), width: 1280, height: 720 };
const looking = driving(rekognitionSdk.RekognitionClient, rekognitionService);
const BoundingBox = { Left: 0.1, Top: 0.1, Width: 0.2, Height: 0.2 };
const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const line = { DetectedText: 'Lima', Type: 'LINE', Confidence: 99, Geometry: { BoundingBox } };
const faces = { service: rekognitionService, file: 'engines/faces/aws-rekognition.ts' };
const crop = { jpeg: Buffer.from('jpeg'), likeness: null };

export const sightsAndSounds: readonly Call[] = [
  {
    ...{ ...polly, drive: speaking(false) },
    answers: { SynthesizeSpeech: spoken(sound) },
    gives: { sample_rate: 16_000, characters: 5, samples: { length: 1600 } },
    asks: { Engine: 'neural', VoiceId: 'Lucia', OutputFormat: 'pcm', SampleRate: '16000', TextType: 'ssml' },
    partial: [
      ['no sound', spoken(new Uint8Array()), 'provider_unavailable'],
      ['no stream', { answer: '' }, 'provider_unavailable'],
      ['sound that ends within a sample', spoken(new Uint8Array(3201)), 'provider_unavailable'],
    ],
  },
  {
    ...{ ...polly, drive: speaking(true) },
    answers: { SynthesizeSpeech: marked(words) },
    gives: { characters: 10, words: [{ text: 'Hola', start_ms: 0, end_ms: 100 }] },
    partial: [
      ['marks that are cut off', marked(words.slice(0, 20)), 'provider_unavailable'],
      ['marks whose second line is cut off', marked(`${words}{"time":`), 'provider_unavailable'],
    ],
  },
  {
    ...{ ...faces, operation: 'DetectFaces' },
    answers: { DetectFaces: { answer: { FaceDetails: [{ BoundingBox, Confidence: 99.9 }] } } },
    drive: looking((client) => facesByRekognition(client).find(picture)),
    gives: [{ box, confidence: 0.999 }],
    asks: { Attributes: ['DEFAULT'] },
    partial: [['no face', { answer: {} }, { gives: [] }]],
  },
  {
    ...{ ...faces, operation: 'CompareFaces' },
    answers: { CompareFaces: { answer: { FaceMatches: [{ Similarity: 99.1, Face: { BoundingBox } }] } } },
    drive: looking((client) => facesByRekognition(client).tellApart([crop, crop])),
    gives: [0, 0],
    asks: { SimilarityThreshold: 90 },
    // "If no faces are detected in the source or target images": the crop counts as a separate person.
    fates: { InvalidParameterException: { gives: [0, 1] } },
    partial: [
      ['no similar person', { answer: { FaceMatches: [], UnmatchedFaces: [{}] } }, { gives: [0, 1] }],
    ],
  },
  {
    ...{ service: rekognitionService, file: 'engines/ocr/aws-rekognition.ts', operation: 'DetectText' },
    answers: { DetectText: { answer: { TextDetections: [line] } } },
    drive: looking((client) => textByRekognition(client).read(picture, ['en'])),
    gives: [{ text: 'Lima', box, confidence: 0.99 }],
    asks: { Filters: { WordFilter: { MinConfidence: 80 } } },
    partial: [['no text', { answer: {} }, { gives: [] }]],
  },
];
