/** Amazon Transcribe: jobs on objects in S3, with speakers and word times. `ENGINE_TRANSCRIPTION=amazon-transcribe` */

import { createHash } from 'node:crypto';
import {
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  LanguageCode,
  StartTranscriptionJobCommand,
  type StartTranscriptionJobCommandInput,
  TranscribeClient,
  type TranscriptionJob,
} from '@aws-sdk/client-transcribe';
import {
  internalError,
  type JobError,
  languageUnsupported,
  mediaLimitExceeded,
  mediaUnreadable,
  providerGivenUp,
} from '../../shared/job-errors.ts';
import { patience, requestsTo, type ServiceError, toJobError } from '../aws/requests.ts';
import type { Permission } from '../engine.ts';
import { transcribeLanguage } from './aws-transcribe-languages.ts';
import { readTranscribeResult } from './aws-transcribe-result.ts';
import { deleteVocabulary, prepareVocabulary, type Vocabulary } from './aws-transcribe-vocabulary.ts';
import { planPieces } from './plan-pieces.ts';
import {
  type Piece,
  type PieceProgress,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

/**
 * Returns a permission for jobs or vocabularies with the prefix of Kinora, so that Kinora has no access to other ones
 * in the account.
 */
const ownResources = (type: 'transcription-job' | 'vocabulary', actions: readonly string[]): Permission => ({
  actions: actions.map((action) => `transcribe:${action}`),
  resources: [`arn:{partition}:transcribe:{region}:{account}:${type}/kinora-*`],
  why: 'Names are chosen at run time. The prefix limits the permission to those of Kinora.',
});

export const amazonTranscribe = transcriptionEngine({
  name: 'amazon-transcribe',
  runs: ['aws'],
  price: { per: 'minute', usd: 0.024, source: 'https://aws.amazon.com/transcribe/pricing/' },
  languages: Object.values(LanguageCode),
  settings: {
    MEDIA_BUCKET: {
      description: 'Bucket with the audio, which also receives the results',
      deployed: '{media_bucket}',
    },
  },
  quotas: { transcribe: 'transcribeJobs' },
  permissions: {
    transcribe: [
      {
        actions: ['transcribe:StartTranscriptionJob'],
        resources: ['*'],
        conditions: { StringEquals: { 'transcribe:OutputBucketName': '{media_bucket}' } },
        why: 'StartTranscriptionJob has no resource. The condition allows results only in the media bucket.',
      },
      {
        actions: ['transcribe:CreateVocabulary'],
        resources: ['*'],
        why: 'CreateVocabulary has no resource. Kinora can read and delete only vocabularies with its prefix.',
      },
      ownResources('vocabulary', ['GetVocabulary', 'DeleteVocabulary']),
      ownResources('transcription-job', ['GetTranscriptionJob']),
    ],
    discard: [
      ownResources('transcription-job', ['DeleteTranscriptionJob', 'GetTranscriptionJob']),
      ownResources('vocabulary', ['GetVocabulary', 'DeleteVocabulary']),
    ],
  },
  make: ({ settings, ...objects }) =>
    transcribeJobs({
      client: new TranscribeClient({ requestHandler: patience(ANSWER_MS) }),
      output_bucket: settings.MEDIA_BUCKET,
      ...objects,
    }),
});

/** Time for one answer, ms. `discard` sends four requests in sequence within the time of its step. */
const ANSWER_MS = 15_000;

export type AmazonTranscribeParts = {
  client: Pick<TranscribeClient, 'send'>;
  /** The bucket that receives the results. */
  output_bucket: string;
  /** Functions that read and write objects of that bucket as text. */
  readObject(key: string): Promise<string>;
  writeObject(key: string, text: string): Promise<void>;
  /** The most speakers in a job, 2 to 30. */
  max_speakers?: number | undefined;
};

/** Quota "Maximum audio file length" of Amazon Transcribe: four hours. */
const MAX_PIECE_MS = 4 * 3_600_000;
/** A job takes a fraction of real time, plus about 20 s to start. */
const POLL_S = 10;
const MAX_SPEAKERS = 10;
/** The most jobs for one piece. If the service fails, the engine starts another job. */
const MAX_ATTEMPTS = 3;

export function transcribeJobs(parts: AmazonTranscribeParts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || transcribeLanguage(language) !== null;
  return {
    tellsSpeechApart: true,
    takesTerms: true,
    supports,
    /** Plans one piece if the service allows it, because speakers are matched only within a job. */
    plan: async (audio) => planPieces(audio, { max_ms: MAX_PIECE_MS }),
    async transcribe(piece, request) {
      if (request.language !== null && !supports(request.language)) throw unsupported(request.language);
      request.signal?.throwIfAborted();
      const vocabulary = vocabularyFor(request);
      const found = vocabulary && (await findLastJob(parts, request));
      const job = found ?? (await startJob(parts, request, piece, vocabulary));
      const isOver = job.TranscriptionJobStatus === 'COMPLETED' || job.TranscriptionJobStatus === 'FAILED';
      if (vocabulary && isOver) await deleteVocabulary(parts, vocabulary.name).catch(throwJobError);
      return await progressOf(parts, job, request, piece.start_ms);
    },
    async discard(key) {
      // Deletes the jobs of all attempts, because an earlier call may have deleted the first job but not the last.
      const names = attempts.map((attempt) => nameOf(key, attempt));
      const areDeleted = await Promise.all(names.map((name) => deleteJob(parts, name)));
      return areDeleted.every(Boolean) && (await deleteVocabulary(parts, nameOf(key)).catch(throwJobError));
    },
  };
}

/**
 * Returns the vocabulary of the expected terms. Null without terms or without a language, because a vocabulary has one
 * language.
 */
function vocabularyFor({ key, language, terms = [] }: TranscriptionRequest): Vocabulary | null {
  const code = language === null ? null : transcribeLanguage(language);
  if (code === null || terms.length === 0) return null;
  return { name: nameOf(key), language: code, terms, key: `${key}.vocabulary.txt` };
}

/** Starts the job of a piece, or returns the existing job. Returns a queued job until the vocabulary is ready. */
async function startJob(
  parts: AmazonTranscribeParts,
  request: TranscriptionRequest,
  piece: Piece,
  vocabulary: Vocabulary | null,
): Promise<TranscriptionJob> {
  const addressOf = (key: string) => `s3://${parts.output_bucket}/${key}`;
  const state =
    vocabulary && (await prepareVocabulary({ ...parts, addressOf }, vocabulary).catch(throwJobError));
  request.signal?.throwIfAborted();
  if (state === 'pending') return { TranscriptionJobStatus: 'QUEUED' };
  const media = await request.locate(piece);
  const input = inputOf(parts, request, media, state === 'ready' ? vocabulary : null);
  for (const attempt of attempts) {
    const named = { ...input, TranscriptionJobName: nameOf(request.key, attempt) };
    const job = await startOrGet(parts, named, request.signal);
    if (!hasNextAttempt(job, attempt)) return job;
  }
  throw new Error('The last attempt has no next attempt');
}

const attempts = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => attempt);

/** Returns the last job of the piece. Null if a job must be started. */
async function findLastJob(
  parts: AmazonTranscribeParts,
  { key, signal }: TranscriptionRequest,
): Promise<TranscriptionJob | null> {
  for (const attempt of attempts) {
    const job = await getJob(parts, nameOf(key, attempt), signal);
    if (job === null || !hasNextAttempt(job, attempt)) return job;
  }
  return null;
}

/** A failed job keeps its name, so a retry needs a new name. Otherwise each retry would find the same failed job. */
const hasNextAttempt = ({ TranscriptionJobStatus, FailureReason = '' }: TranscriptionJob, attempt: number) =>
  TranscriptionJobStatus === 'FAILED' &&
  failureOf(FailureReason).code === 'provider_unavailable' &&
  attempt + 1 < MAX_ATTEMPTS;

/** Returns false while the job is in progress: Transcribe cannot stop or delete it then (API_DeleteTranscriptionJob, Errors). */
async function deleteJob(parts: AmazonTranscribeParts, TranscriptionJobName: string): Promise<boolean> {
  const job = await getJob(parts, TranscriptionJobName);
  const status = job?.TranscriptionJobStatus;
  if (status === 'QUEUED' || status === 'IN_PROGRESS') return false;
  if (job !== null) {
    const command = new DeleteTranscriptionJobCommand({ TranscriptionJobName });
    await askTranscribe<unknown>(() => parts.client.send(command), { onError: nullIfMissing });
  }
  return true;
}

/** Returns null if the job does not exist. */
const getJob = (
  { client }: AmazonTranscribeParts,
  TranscriptionJobName: string,
  signal?: AbortSignal,
): Promise<TranscriptionJob | null> =>
  askTranscribe<TranscriptionJob | null>(
    async (options) => {
      const command = new GetTranscriptionJobCommand({ TranscriptionJobName });
      return (await client.send(command, options)).TranscriptionJob ?? {};
    },
    { signal, onError: nullIfMissing },
  );

const SERVICE = 'Amazon Transcribe';
const CONTENT = 'the job';
const askTranscribe = requestsTo(SERVICE, CONTENT);

function throwJobError(error: ServiceError): never {
  throw toJobError(SERVICE, CONTENT, error);
}

/** Transcribe answers BadRequestException for a job that never existed. */
const nullIfMissing = ({ name }: Error) =>
  name === 'BadRequestException' || name === 'NotFoundException' ? { answer: null } : undefined;

const unsupported = (language: string) =>
  languageUnsupported(`Amazon Transcribe does not support "${language}". Choose another language or engine.`);

const outputKey = ({ key }: TranscriptionRequest) => `${key}.transcribe.json`;

/**
 * The name depends only on the key and the attempt. So a retried step finds its own job and does not pay for a second
 * one.
 */
const nameOf = (key: string, attempt = 0) =>
  `kinora-${createHash('sha256').update(key).digest('hex').slice(0, 40)}${attempt === 0 ? '' : `-${attempt}`}`;

function inputOf(
  { output_bucket, max_speakers }: AmazonTranscribeParts,
  request: TranscriptionRequest,
  media: string,
  vocabulary: Vocabulary | null,
): Omit<StartTranscriptionJobCommandInput, 'TranscriptionJobName'> {
  const language = request.language === null ? null : transcribeLanguage(request.language);
  return {
    Media: { MediaFileUri: media },
    MediaFormat: 'wav',
    OutputBucketName: output_bucket,
    OutputKey: outputKey(request),
    ...(language === null ? { IdentifyLanguage: true } : { LanguageCode: language }),
    Settings: {
      ShowSpeakerLabels: true,
      MaxSpeakerLabels: max_speakers ?? MAX_SPEAKERS,
      ...(vocabulary !== null && { VocabularyName: vocabulary.name }),
    },
  };
}

async function startOrGet(
  { client }: AmazonTranscribeParts,
  job: StartTranscriptionJobCommandInput,
  signal: AbortSignal | undefined,
): Promise<TranscriptionJob> {
  const started = await askTranscribe<TranscriptionJob | null>(
    async (options) =>
      (await client.send(new StartTranscriptionJobCommand(job), options)).TranscriptionJob ?? {},
    {
      signal,
      onError({ name }) {
        // The account already runs the most jobs allowed. The step asks again later, as it does for a queued job.
        if (name === 'LimitExceededException') return { answer: { TranscriptionJobStatus: 'QUEUED' } };
        return name === 'ConflictException' ? { answer: null } : undefined;
      },
    },
  );
  if (started !== null) return started;
  // An earlier attempt of the step has started the job.
  const { TranscriptionJobName } = job;
  return askTranscribe(
    async (options) => {
      const command = new GetTranscriptionJobCommand({ TranscriptionJobName });
      return (await client.send(command, options)).TranscriptionJob ?? {};
    },
    { signal },
  );
}

async function progressOf(
  { readObject }: AmazonTranscribeParts,
  job: TranscriptionJob,
  request: TranscriptionRequest,
  offset_ms: number,
): Promise<PieceProgress> {
  if (job.TranscriptionJobStatus === 'FAILED') throw failureOf(job.FailureReason ?? '');
  if (job.TranscriptionJobStatus !== 'COMPLETED') {
    return { status: 'running', progress: null, retry_after_s: POLL_S };
  }
  const { words, language } = readTranscribeResult(await readObject(outputKey(request)), offset_ms);
  return { status: 'done', words, language: request.language ?? language ?? job.LanguageCode ?? 'und' };
}

/** The reasons that the API reference lists under `TranscriptionJob.FailureReason`. */
const failures: readonly (readonly [reason: RegExp, error: (reason: string) => JobError])[] = [
  [
    /size too large|number of channels too large|too long/i,
    (reason) => mediaLimitExceeded(`Amazon Transcribe rejected the audio: ${reason}`),
  ],
  [
    /media format|sample rate|detected|no speech|corrupt|decod/i,
    (reason) => mediaUnreadable(`Amazon Transcribe cannot read the audio: ${reason}`),
  ],
  [
    /language/i,
    (reason) =>
      languageUnsupported(
        `Amazon Transcribe did not recognize the language: ${reason} Set the \`language_id\` of the asset.`,
      ),
  ],
  // This code runs only after the last attempt. A retry of the step would find the same failed job.
  [/internal|try again|limit/i, (reason) => providerGivenUp(`Amazon Transcribe failed: ${reason}`)],
];

function failureOf(reason: string): JobError {
  const known = failures.find(([pattern]) => pattern.test(reason));
  return known
    ? known[1](reason)
    : internalError(`Amazon Transcribe failed: ${reason || 'no reason given'}.`);
}
