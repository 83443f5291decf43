/** Amazon Transcribe: jobs over objects in S3, with speakers and word times. */

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
import { patience, refusalBy, type ServiceError } from '../aws/requests.ts';
import { transcribeLanguage } from './aws-transcribe-languages.ts';
import { readTranscribeResult, type TranscribeResult } from './aws-transcribe-result.ts';
import { prepared, removed as removedVocabulary, type Vocabulary } from './aws-transcribe-vocabulary.ts';
import { planPieces } from './plan-pieces.ts';
import {
  type Piece,
  type PieceProgress,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

export const amazonTranscribe = transcriptionEngine({
  name: 'amazon-transcribe',
  runs: ['aws'],
  price: { per: 'minute', usd: 0.024, source: 'https://aws.amazon.com/transcribe/pricing/' },
  languages: Object.values(LanguageCode),
  settings: {
    MEDIA_BUCKET: {
      description: 'The bucket that audio is read from and results are put into',
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
        why: 'StartTranscriptionJob has no resource to name; a condition binds its results to the media bucket.',
      },
      {
        actions: ['transcribe:CreateVocabulary'],
        resources: ['*'],
        why: 'CreateVocabulary has no resource to name; Kinora reads and removes those alone whose name has its prefix.',
      },
      {
        actions: ['transcribe:GetVocabulary', 'transcribe:DeleteVocabulary'],
        resources: ['arn:{partition}:transcribe:{region}:{account}:vocabulary/kinora-*'],
        why: 'Vocabularies are named at run time; the prefix keeps to those of Kinora.',
      },
      {
        actions: ['transcribe:GetTranscriptionJob'],
        // Jobs carry the prefix, so that Kinora sees no other transcription of the account.
        resources: ['arn:{partition}:transcribe:{region}:{account}:transcription-job/kinora-*'],
        why: 'Jobs are named at run time; the prefix keeps to those of Kinora.',
      },
    ],
    discard: [
      {
        actions: ['transcribe:DeleteTranscriptionJob', 'transcribe:GetTranscriptionJob'],
        resources: ['arn:{partition}:transcribe:{region}:{account}:transcription-job/kinora-*'],
        why: 'Jobs are named at run time; the prefix keeps to those of Kinora.',
      },
      {
        actions: ['transcribe:GetVocabulary', 'transcribe:DeleteVocabulary'],
        resources: ['arn:{partition}:transcribe:{region}:{account}:vocabulary/kinora-*'],
        why: 'Vocabularies are named at run time; the prefix keeps to those of Kinora.',
      },
    ],
  },
  make: ({ settings, ...objects }) =>
    transcribeJobs({
      client: new TranscribeClient({ requestHandler: patience(ANSWER_MS) }),
      output_bucket: settings.MEDIA_BUCKET,
      ...objects,
    }),
});

/** How long an answer may take, ms. Forgetting a piece asks four times, one after another, within the time of its step. */
const ANSWER_MS = 15_000;

export type AmazonTranscribeParts = {
  client: Pick<TranscribeClient, 'send'>;
  /** Where the service puts its results. */
  output_bucket: string;
  /** Reads and writes objects of that bucket as text. */
  readObject(key: string): Promise<string>;
  writeObject(key: string, text: string): Promise<void>;
  /** Voices told apart, 2 to 30. */
  max_speakers?: number | undefined;
};

/** Quota "Maximum audio file length" of the service: four hours. */
const MAX_PIECE_MS = 4 * 3_600_000;
/** A job runs at a fraction of real time, but waits and starts for some 20 s. */
const POLL_S = 10;
const MAX_SPEAKERS = 10;
/** How many jobs are started for a piece, each where the one before failed by a fault of the service. */
const MOST_ATTEMPTS = 3;

export function transcribeJobs(parts: AmazonTranscribeParts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || transcribeLanguage(language) !== null;
  return {
    tellsSpeechApart: true,
    takesTerms: true,
    supports,
    /** One piece whenever the service allows it: voices are told apart within a job only. */
    plan: async (audio) => planPieces(audio, { max_ms: MAX_PIECE_MS }),
    async transcribe(piece, request) {
      if (!supports(request.language)) throw unsupported(request.language!);
      request.signal?.throwIfAborted();
      const vocabulary = vocabularyOf(request);
      const found = vocabulary && (await lastJob(parts, request));
      const job = found ?? (await begun(parts, request, piece, vocabulary));
      const isOver = job.TranscriptionJobStatus === 'COMPLETED' || job.TranscriptionJobStatus === 'FAILED';
      if (vocabulary && isOver) await removedVocabulary(parts, vocabulary.name).catch(refused);
      return await outcome(parts, job, request, piece.start_ms);
    },
    async discard(key) {
      // All of them: those before one that still runs may be gone since the last look.
      const names = attempts.map((attempt) => nameOf(key, attempt));
      const quiet = await Promise.all(names.map((name) => removedJob(parts, name)));
      return quiet.every(Boolean) && (await removedVocabulary(parts, nameOf(key)).catch(refused));
    },
  };
}

/** What is expected in the piece, for a language that is known: a vocabulary is of one. */
function vocabularyOf({ key, language, terms = [] }: TranscriptionRequest): Vocabulary | null {
  const code = language === null ? null : transcribeLanguage(language);
  if (code === null || terms.length === 0) return null;
  return { name: nameOf(key), language: code, terms, key: `${key}.vocabulary.txt` };
}

/** Starts the job, once the vocabulary is there that it is to use. */
async function begun(
  parts: AmazonTranscribeParts,
  request: TranscriptionRequest,
  piece: Piece,
  vocabulary: Vocabulary | null,
): Promise<TranscriptionJob> {
  const addressOf = (key: string) => `s3://${parts.output_bucket}/${key}`;
  const state = vocabulary && (await prepared({ ...parts, addressOf }, vocabulary).catch(refused));
  request.signal?.throwIfAborted();
  if (state === 'pending') return { TranscriptionJobStatus: 'QUEUED' };
  const media = await request.locate(piece);
  const asked = jobOf(parts, request, media, state === 'ready' ? vocabulary!.name : null);
  for (const attempt of attempts) {
    const job = await startOrFind(
      parts,
      { ...asked, TranscriptionJobName: nameOf(request.key, attempt) },
      request.signal,
    );
    if (!isFollowed(job, attempt)) return job;
  }
  throw new Error('The last attempt at a piece is followed by no other');
}

const attempts = Array.from({ length: MOST_ATTEMPTS }, (_, attempt) => attempt);

/** The last job of the piece; null where one is to be started. */
async function lastJob(
  parts: AmazonTranscribeParts,
  { key, signal }: TranscriptionRequest,
): Promise<TranscriptionJob | null> {
  for (const attempt of attempts) {
    const job = await jobNamed(parts, nameOf(key, attempt), signal);
    if (job === null || !isFollowed(job, attempt)) return job;
  }
  return null;
}

/** A name is taken once, also by a job that failed: whoever asks for the same again would be told of that failure for ever. */
const isFollowed = ({ TranscriptionJobStatus, FailureReason = '' }: TranscriptionJob, attempt: number) =>
  TranscriptionJobStatus === 'FAILED' &&
  failure(FailureReason).code === 'provider_unavailable' &&
  attempt + 1 < MOST_ATTEMPTS;

/** The service refuses to delete a job that is in progress, and cannot stop one: API_DeleteTranscriptionJob, Errors. */
async function removedJob(parts: AmazonTranscribeParts, name: string): Promise<boolean> {
  const job = await jobNamed(parts, name);
  const status = job?.TranscriptionJobStatus;
  if (status === 'QUEUED' || status === 'IN_PROGRESS') return false;
  if (job !== null) {
    try {
      await parts.client.send(new DeleteTranscriptionJobCommand({ TranscriptionJobName: name }));
    } catch (error) {
      if (!isUnknown(error as Error)) throw refusal(error as ServiceError);
    }
  }
  return true;
}

/** Null where there is none. */
async function jobNamed(
  { client }: AmazonTranscribeParts,
  TranscriptionJobName: string,
  signal?: AbortSignal,
): Promise<TranscriptionJob | null> {
  const options = signal ? { abortSignal: signal } : {};
  try {
    const found = await client.send(new GetTranscriptionJobCommand({ TranscriptionJobName }), options);
    return found.TranscriptionJob ?? {};
  } catch (error) {
    signal?.throwIfAborted();
    if (isUnknown(error as Error)) return null;
    throw refusal(error as ServiceError);
  }
}

/** A job that was never started is a bad request, too. */
const isUnknown = ({ name }: Error) => ['BadRequestException', 'NotFoundException'].includes(name);

function refused(error: ServiceError): never {
  throw refusal(error);
}

const unsupported = (language: string) =>
  languageUnsupported(
    `Amazon Transcribe does not understand "${language}". Choose another language or engine.`,
  );

const outputKey = ({ key }: TranscriptionRequest) => `${key}.transcribe.json`;

/** Made of the key and the attempt alone, so that a repeated step meets its own job instead of paying for another. */
const nameOf = (key: string, attempt = 0) =>
  `kinora-${createHash('sha256').update(key).digest('hex').slice(0, 40)}${attempt === 0 ? '' : `-${attempt}`}`;

function jobOf(
  { output_bucket, max_speakers }: AmazonTranscribeParts,
  request: TranscriptionRequest,
  media: string,
  vocabulary: string | null,
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
      ...(vocabulary !== null && { VocabularyName: vocabulary }),
    },
  };
}

async function startOrFind(
  { client }: AmazonTranscribeParts,
  job: StartTranscriptionJobCommandInput,
  signal: AbortSignal | undefined,
): Promise<TranscriptionJob> {
  const options = signal ? { abortSignal: signal } : {};
  try {
    const started = await client.send(new StartTranscriptionJobCommand(job), options);
    return started.TranscriptionJob ?? {};
  } catch (error) {
    signal?.throwIfAborted();
    // As many run as the account may have at once: it is asked for again as one that is queued is, until there is room.
    if ((error as Error).name === 'LimitExceededException') return { TranscriptionJobStatus: 'QUEUED' };
    const isAlreadyStarted = (error as Error).name === 'ConflictException';
    if (!isAlreadyStarted) throw refusal(error as ServiceError);
  }
  try {
    const { TranscriptionJobName } = job;
    const found = await client.send(new GetTranscriptionJobCommand({ TranscriptionJobName }), options);
    return found.TranscriptionJob ?? {};
  } catch (error) {
    signal?.throwIfAborted();
    throw refusal(error as ServiceError);
  }
}

async function outcome(
  { readObject }: AmazonTranscribeParts,
  job: TranscriptionJob,
  request: TranscriptionRequest,
  offset_ms: number,
): Promise<PieceProgress> {
  if (job.TranscriptionJobStatus === 'FAILED') throw failure(job.FailureReason ?? '');
  if (job.TranscriptionJobStatus !== 'COMPLETED') {
    return { status: 'running', progress: null, retry_after_s: POLL_S };
  }
  const result = JSON.parse(await readObject(outputKey(request))) as TranscribeResult;
  const found = result.results.language_code ?? job.LanguageCode;
  return {
    status: 'done',
    words: readTranscribeResult(result, offset_ms),
    language: request.language ?? found ?? 'und',
  };
}

/** The reasons that the API reference lists under `TranscriptionJob.FailureReason`. */
const failures: readonly (readonly [reason: RegExp, error: (said: string) => JobError])[] = [
  [
    /size too large|number of channels too large|too long/i,
    (said) => mediaLimitExceeded(`Amazon Transcribe refused the audio: ${said}`),
  ],
  [
    /media format|sample rate|detected|no speech|corrupt|decod/i,
    (said) => mediaUnreadable(`Amazon Transcribe cannot read the audio: ${said}`),
  ],
  [
    /language/i,
    (said) =>
      languageUnsupported(
        `Amazon Transcribe did not recognise the language: ${said} Give the asset's language_id.`,
      ),
  ],
  // Met at the last of the jobs that may be started for a piece: a step that asks again meets the same.
  [/internal|try again|limit/i, (said) => providerGivenUp(`Amazon Transcribe failed: ${said}`)],
];

function failure(said: string): JobError {
  const known = failures.find(([reason]) => reason.test(said));
  return known ? known[1](said) : internalError(`Amazon Transcribe failed: ${said || 'no reason given'}.`);
}

const refusal = (error: ServiceError): JobError => refusalBy('Amazon Transcribe', 'the job', error);
