/** Amazon Transcribe: jobs and their vocabularies. */
import * as sdk from '@aws-sdk/client-transcribe';
import { expect } from 'vitest';
import { transcribeJobs } from '../../../engines/transcription/aws-transcribe.ts';
import { requestFor } from '../transcription/conformance.ts';
import { result } from '../transcription/results.ts';
import { type Call, commonErrors, commonFates, type Service } from './calls.ts';
import { type Answer, type Asked, driving } from './wire.ts';

const service: Service = {
  name: 'transcribe',
  sdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...commonFates,
    BadRequestException: 'internal_error',
    InternalFailureException: 'provider_unavailable',
    // "You've either sent too many requests or your input file is too long". Pieces are never too long.
    LimitExceededException: 'provider_throttled',
  },
};

const piece = { index: 0, start_ms: 0, end_ms: 60_000 };
const running = { status: 'running', progress: null, retry_after_s: 10 };
const request = (more = {}) => requestFor({ samples: new Uint8Array(), language: 'en-US' }, more);

const parts = { readObject: async () => JSON.stringify(result), writeObject: async () => {} };
const driven = driving(sdk.TranscribeClient, service);
const drive = (work: (engine: ReturnType<typeof transcribeJobs>) => Promise<unknown>) =>
  driven((client) => work(transcribeJobs({ client, output_bucket: 'media', ...parts })));
const transcribing = (more = {}) => drive((engine) => engine.transcribe(piece, request(more)));
const forgetting = drive((engine) => engine.discard!('t/demo/1'));

const job = (TranscriptionJobStatus: string, more = {}): Answer => ({
  answer: {
    TranscriptionJob: {
      TranscriptionJobName: 'kinora-1',
      TranscriptionJobStatus,
      LanguageCode: 'en-US',
      ...more,
    },
  },
});
const vocabulary = (VocabularyState: string): Answer => ({
  answer: { VocabularyName: 'kinora-1', LanguageCode: 'en-US', VocabularyState },
});
const unknown: Answer = { error: 'BadRequestException' };
const failed = (FailureReason: string) => job('FAILED', { FailureReason });
const terms = { terms: ['Kinora'] };
/** Only the first job of a piece exists. */
const firstOf =
  (first: Answer) =>
  ({ input }: Asked) =>
    /-\d$/.test(String(input.TranscriptionJobName)) ? unknown : first;

const file = 'engines/transcription/aws-transcribe.ts';
const vocabularies = 'engines/transcription/aws-transcribe-vocabulary.ts';

export const transcribe: readonly Call[] = [
  {
    ...{ service, file, operation: 'StartTranscriptionJob', drive: transcribing() },
    answers: { StartTranscriptionJob: job('IN_PROGRESS'), GetTranscriptionJob: job('IN_PROGRESS') },
    gives: running,
    asks: {
      Media: { MediaFileUri: 's3://media/pieces/0.wav' },
      OutputBucketName: 'media',
      LanguageCode: 'en-US',
      TranscriptionJobName: expect.stringMatching(/^[0-9a-zA-Z._-]{1,200}$/),
      OutputKey: 't/demo/assets/1/derived/words/1/0.transcribe.json',
      Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 10 },
    },
    fates: {
      // An earlier attempt started the job, and its answer was lost. The engine finds this job and does not pay for a
      // second one.
      ConflictException: { gives: running },
      // The account runs the most jobs allowed. The step asks again later, as for a queued job.
      LimitExceededException: { gives: running },
    },
    partial: [['a job without a status', { answer: {} }, { gives: running }]],
  },
  {
    ...{ service, file, operation: 'GetTranscriptionJob', drive: transcribing() },
    // A job with this name exists, so the engine reads it.
    answers: { StartTranscriptionJob: { error: 'ConflictException' }, GetTranscriptionJob: job('COMPLETED') },
    gives: {
      status: 'done',
      language: 'en-US',
      words: [{ text: "I've" }, { text: 'waited.' }, { text: 'Sorry!' }],
    },
    fates: { NotFoundException: 'internal_error' },
    // API_TranscriptionJob, FailureReason.
    partial: [
      ['Unsupported media format.', failed('Unsupported media format'), 'media_unreadable'],
      [
        'a different format than stated',
        failed('The media format provided does not match the detected media format.'),
        'media_unreadable',
      ],
      ['an invalid sample rate', failed('Invalid sample rate for audio file.'), 'media_unreadable'],
      [
        'a different sample rate than stated',
        failed('The sample rate provided does not match the detected sample rate.'),
        'media_unreadable',
      ],
      ['a file too large', failed('Invalid file size: file size too large.'), 'media_limit_exceeded'],
      [
        'too many channels',
        failed('Invalid number of channels: number of channels too large.'),
        'media_limit_exceeded',
      ],
      // This is the last of three attempts. No further attempt follows.
      ['an internal failure', failed('Internal failure. Please try again.'), 'provider_given_up'],
      ['a failure without a reason', job('FAILED'), 'internal_error'],
      ['a queued job', job('QUEUED'), { gives: running }],
    ],
  },
  {
    ...{ service, file, operation: 'DeleteTranscriptionJob', drive: forgetting },
    answers: {
      GetTranscriptionJob: firstOf(job('COMPLETED')),
      DeleteTranscriptionJob: { answer: {} },
      GetVocabulary: unknown,
    },
    gives: true,
    // "if the transcription job you're trying to delete … doesn't exist": another attempt has deleted it.
    fates: { BadRequestException: { gives: true } },
  },
  {
    ...{ service, file: vocabularies, operation: 'CreateVocabulary', drive: transcribing(terms) },
    answers: {
      GetTranscriptionJob: unknown,
      GetVocabulary: unknown,
      CreateVocabulary: vocabulary('PENDING'),
      StartTranscriptionJob: job('IN_PROGRESS'),
    },
    gives: running,
    asks: {
      LanguageCode: 'en-US',
      VocabularyFileUri: 's3://media/t/demo/assets/1/derived/words/1/0.vocabulary.txt',
    },
    fates: {
      ConflictException: { gives: running },
      // The job starts without a vocabulary. Rules correct the words afterwards.
      LimitExceededException: { gives: running },
      BadRequestException: { gives: running },
    },
  },
  {
    ...{ service, file: vocabularies, operation: 'GetVocabulary', drive: transcribing(terms) },
    answers: {
      GetTranscriptionJob: unknown,
      GetVocabulary: vocabulary('READY'),
      CreateVocabulary: vocabulary('PENDING'),
      StartTranscriptionJob: job('IN_PROGRESS'),
    },
    gives: running,
    fates: { NotFoundException: { gives: running }, BadRequestException: { gives: running } },
    partial: [['a vocabulary that failed', vocabulary('FAILED'), { gives: running }]],
  },
  {
    ...{ service, file: vocabularies, operation: 'DeleteVocabulary', drive: forgetting },
    answers: {
      GetTranscriptionJob: unknown,
      GetVocabulary: vocabulary('READY'),
      DeleteVocabulary: { answer: {} },
    },
    gives: true,
    fates: { NotFoundException: { gives: true }, BadRequestException: { gives: true } },
  },
];
