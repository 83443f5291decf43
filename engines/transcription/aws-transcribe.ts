/** Amazon Transcribe: jobs for objects in S3, with speakers and word times. `ENGINE_TRANSCRIPTION=amazon-transcribe` */
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
import { defined } from '../../shared/checked-access.ts';
import {
  internalError,
  type JobError,
  languageUnsupported,
  mediaLimitExceeded,
  mediaUnreadable,
  providerGivenUp,
} from '../../shared/job-errors.ts';
import { patience } from '../aws/requests.ts';
import type { Permission } from '../engine.ts';
import { transcribeLanguage } from './aws-transcribe-languages.ts';
import { askTranscribe, nullIfMissing } from './aws-transcribe-requests.ts';
import { readTranscribeResult } from './aws-transcribe-result.ts';
import {
  deleteVocabulary,
  prepareVocabulary,
  type Vocabulary,
  type VocabularyParts,
  vocabularyTable,
} from './aws-transcribe-vocabulary.ts';
import { planPieces } from './plan-pieces.ts';
import {
  type Piece,
  type PieceProgress,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

/** A permission that covers only jobs or vocabularies with Kinora's prefix, not other resources of the account. */
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
      ownResources('transcription-job', ['GetTranscriptionJob', 'TagResource']),
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

/** Time limit of one attempt, ms. `discard` sends four requests in sequence, which must fit into its step. */
const ANSWER_MS = 15_000;

export interface AmazonTranscribeParts extends VocabularyParts {
  readonly environment?: string;
  readObject(key: string): Promise<string>;
}

/** Quota "Maximum audio file length" of Amazon Transcribe: four hours. */
const MAX_PIECE_MS = 4 * 3_600_000;
/** The interval between two requests for the state of a job, seconds. A job takes a fraction of the audio's duration, plus about 20 s to start. */
const POLL_S = 10;
/**
 * The time from the start of a job until which it waits for its vocabulary, ms. An account may have only 100 vocabularies. If other
 * software keeps 100, the job continues without its vocabulary, and reports this.
 */
const VOCABULARY_WAIT_MS = 30 * 60_000;
/** The maximum number of speakers in a piece. The service allows 2 to 30. */
const MAX_SPEAKERS = 10;
/** The maximum number of jobs for one piece. If the service fails, the engine starts another job. */
const MAX_ATTEMPTS = 3;

export function transcribeJobs(parts: AmazonTranscribeParts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || transcribeLanguage(language) !== null;
  return {
    tellsSpeechApart: true,
    takesTerms: true,
    supports,
    /** Plans pieces that are as long as Transcribe allows, because Transcribe matches speakers only within a job. */
    plan: async (audio) => planPieces(audio, { max_ms: MAX_PIECE_MS }),
    async transcribe(piece, request) {
      if (request.language !== null && !supports(request.language)) throw unsupported(request.language);
      request.signal?.throwIfAborted();
      const vocabulary = vocabularyFor(request);
      const found = vocabulary && (await findLastJob(parts, request));
      const job = found ?? (await startJob(parts, request, piece, vocabulary));
      const isOver = job.TranscriptionJobStatus === 'COMPLETED' || job.TranscriptionJobStatus === 'FAILED';
      if (vocabulary && isOver) await deleteVocabulary(parts, vocabulary.name);
      const progress = await progressOf(parts, job, request, piece.start_ms);
      const isWithout = vocabulary !== null && job.Settings?.VocabularyName === undefined;
      return progress.status === 'done' && isWithout ? { ...progress, without_terms: true } : progress;
    },
    async discard(key) {
      // Deletes the jobs of all attempts, because an earlier call may have deleted the first job but not the last.
      const names = attempts.map((attempt) => nameOf(key, attempt));
      const areDeleted = await Promise.all(names.map((name) => deleteJob(parts, name)));
      return areDeleted.every(Boolean) && (await deleteVocabulary(parts, nameOf(key)));
    },
  };
}

/** Returns the vocabulary of a request. Null if the request has no terms or no language, because a vocabulary has one language. */
function vocabularyFor({ key, language, terms = [] }: TranscriptionRequest): Vocabulary | null {
  const code = language === null ? null : transcribeLanguage(language);
  if (code === null || vocabularyTable(terms, code) === null) return null;
  return { name: nameOf(key), language: code, terms, key: `${key}.vocabulary.txt` };
}

/** Starts the job of a piece, or returns the existing job. Returns a job that is `QUEUED` while the vocabulary is not ready. */
async function startJob(
  parts: AmazonTranscribeParts,
  request: TranscriptionRequest,
  piece: Piece,
  vocabulary: Vocabulary | null,
): Promise<TranscriptionJob> {
  const state = vocabulary && (await prepareVocabulary(parts, vocabulary));
  request.signal?.throwIfAborted();
  const mayWait = state === 'full' && (request.age_ms ?? 0) < VOCABULARY_WAIT_MS;
  if (state === 'pending' || mayWait) return { TranscriptionJobStatus: 'QUEUED' };
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

async function findLastJob(parts: AmazonTranscribeParts, { key, signal }: TranscriptionRequest) {
  for (const attempt of attempts) {
    const job = await getJob(parts, nameOf(key, attempt), { signal, onError: nullIfMissing });
    if (job === null || !hasNextAttempt(job, attempt)) return job;
  }
  return null;
}

/** Whether a failed job is followed by another attempt. An attempt has its own name, because the name of a failed job cannot be used again. */
const hasNextAttempt = ({ TranscriptionJobStatus, FailureReason = '' }: TranscriptionJob, attempt: number) =>
  TranscriptionJobStatus === 'FAILED' &&
  failureOf(FailureReason).code === 'provider_unavailable' &&
  attempt + 1 < MAX_ATTEMPTS;

/** Deletes a job. Returns false while the job is in progress: Transcribe cannot delete it then (API_DeleteTranscriptionJob, Errors). */
async function deleteJob(parts: AmazonTranscribeParts, TranscriptionJobName: string): Promise<boolean> {
  const job = await getJob(parts, TranscriptionJobName, { onError: nullIfMissing });
  const status = job?.TranscriptionJobStatus;
  if (status === 'QUEUED' || status === 'IN_PROGRESS') return false;
  if (job !== null) {
    const command = new DeleteTranscriptionJobCommand({ TranscriptionJobName });
    await askTranscribe<unknown>(() => parts.client.send(command), { onError: nullIfMissing });
  }
  return true;
}

const getJob = (
  { client }: AmazonTranscribeParts,
  TranscriptionJobName: string,
  handling: Parameters<typeof askTranscribe<TranscriptionJob | null>>[1],
): Promise<TranscriptionJob | null> =>
  askTranscribe<TranscriptionJob | null>(async (options) => {
    const command = new GetTranscriptionJobCommand({ TranscriptionJobName });
    return (await client.send(command, options)).TranscriptionJob ?? {};
  }, handling);

const unsupported = (language: string) =>
  languageUnsupported(`Amazon Transcribe does not support "${language}". Choose another language or engine.`);

const outputKey = ({ key }: TranscriptionRequest) => `${key}.transcribe.json`;

/** The name of a job. It depends only on key and attempt. So a retried step finds the existing job and does not pay for a new one. */
const nameOf = (key: string, attempt = 0) =>
  `kinora-${createHash('sha256').update(key).digest('hex').slice(0, 40)}${attempt === 0 ? '' : `-${attempt}`}`;

function inputOf(
  { output_bucket, environment }: AmazonTranscribeParts,
  request: TranscriptionRequest,
  media: string,
  vocabulary: Vocabulary | null,
): Omit<StartTranscriptionJobCommandInput, 'TranscriptionJobName'> {
  const language = request.language === null ? null : transcribeLanguage(request.language);
  return {
    Media: { MediaFileUri: media },
    MediaFormat: 'wav',
    // The same tags as on the stacks, so that the bill can separate environments (Transcribe Developer Guide, "Tagging resources").
    ...(environment && {
      Tags: [
        { Key: 'product', Value: 'kinora' },
        { Key: 'environment', Value: environment },
      ],
    }),
    OutputBucketName: output_bucket,
    OutputKey: outputKey(request),
    ...(language === null ? { IdentifyLanguage: true } : { LanguageCode: language }),
    Settings: {
      ShowSpeakerLabels: true,
      MaxSpeakerLabels: MAX_SPEAKERS,
      ...(vocabulary !== null && { VocabularyName: vocabulary.name }),
    },
  };
}

async function startOrGet(
  parts: AmazonTranscribeParts,
  job: StartTranscriptionJobCommandInput,
  signal: AbortSignal | undefined,
): Promise<TranscriptionJob> {
  const started = await askTranscribe<TranscriptionJob | null>(
    async (options) =>
      (await parts.client.send(new StartTranscriptionJobCommand(job), options)).TranscriptionJob ?? {},
    {
      signal,
      onError({ name }) {
        // The account already runs the maximum number of jobs. The step asks again later, as for a queued job.
        if (name === 'LimitExceededException') return { answer: { TranscriptionJobStatus: 'QUEUED' } };
        return name === 'ConflictException' ? { answer: null } : undefined;
      },
    },
  );
  // After a conflict, an earlier attempt of the step has started the job.
  return started ?? defined(await getJob(parts, defined(job.TranscriptionJobName), { signal }));
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

/** The failure reasons in the API reference (`TranscriptionJob.FailureReason`), with our error for each. */
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
  // All attempts have failed. The error is not retryable: a retry of the step would find the same failed job.
  [/internal|try again|limit/i, (reason) => providerGivenUp(`Amazon Transcribe failed: ${reason}`)],
];

function failureOf(reason: string): JobError {
  const known = failures.find(([pattern]) => pattern.test(reason));
  return known
    ? known[1](reason)
    : internalError(`Amazon Transcribe failed: ${reason || 'no reason given'}.`);
}
