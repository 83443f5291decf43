/** Transcribes one piece of the audio, and meters it. Each call starts the engine's work or checks its state. */
import { utterancesIn } from '../../../engines/transcription/plan-pieces.ts';
import type { Interval, Piece, TranscriptionRequest } from '../../../engines/transcription/port.ts';
import { byteRange, wavFile } from '../../../media/ffmpeg/extract-sound.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { logWithMetrics } from '../../../platform/runtime/log.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { languageById } from '../../../shared/languages.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { wordListsOf } from '../../transcripts/segmentation/records/word-lists.ts';
import { type Audio, type HeardPiece, pieceKey, soundOf, wordsKey } from '../actions/ingest-objects.ts';
import { type IngestServices, ingestStep } from '../actions/ingest-step.ts';

interface PieceInput extends AssetJobInput {
  readonly audio: Audio;
  readonly piece: Piece;
}

interface Outcome {
  readonly status: 'running' | 'done';
  /** Seconds until the next check. */
  readonly retry_after_s: number;
}

export const settings = defineStep<PieceInput>({
  name: 'TranscribePiece',
  description: 'Transcribes one piece of the speech',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write'],
    engines: { transcription: ['transcribe'] },
  },
  event: {
    ...sampleJob,
    audio: {
      key: 't/demo/assets/019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11/derived/audio/019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e/speech.wav',
      duration_ms: 12000,
    },
    piece: { index: 0, start_ms: 0, end_ms: 12000 },
  },
});

export const handler = ingestStep<PieceInput, Outcome>(
  settings,
  async (input, { signal, progress, job, now, ...services }) => {
    const { tenant } = services;
    const { asset_id, piece } = input;
    const key = wordsKey(tenant, input, piece.index);
    const isDone = (await services.objects.size(key)) !== null;
    if (!isDone) {
      const { language_id, template_id } = await services.assets.get(asset_id);
      const language = language_id === null ? null : (languageById(language_id)?.code ?? null);
      const utterances = utterancesIn(piece, (await soundOf(input, services)).utterances);
      const engine = await transcription();
      const onProgress = (fraction: number) => progress.piece(piece, fraction);
      const terms = engine.takesTerms ? await termsOf(services, template_id) : [];
      const age_ms = now().getTime() - Date.parse(job.started_at ?? job.created_at);
      const known = { language, utterances, terms, age_ms, key, signal, onProgress };
      const request = requestOf(input, known, services);
      const outcome = await engine.transcribe(piece, request);
      if (outcome.status === 'running') return { status: 'running', retry_after_s: outcome.retry_after_s };
      const { words, language: found, assumed, without_terms = false } = outcome;
      logWithMetrics(
        'piece transcribed',
        without_terms ? [{ name: 'TranscribedWithoutTerms', unit: 'Count', value: 1 }] : [],
        { job_id: input.job_id, terms: terms.length },
      );
      const heard: HeardPiece = {
        words,
        language: found,
        tells_speech_apart: engine.tellsSpeechApart,
        ...(assumed && { assumed }),
        ...(without_terms && { without_terms }),
      };
      // Meter before storing, because a retry skips a stored piece and would not meter it.
      await services.usage.record({
        use_id: `${job.own.transcription_id}#${piece.index}`,
        meter: 'transcribed_ms',
        quantity: piece.end_ms - piece.start_ms,
        at: job.created_at,
        job_id: input.job_id,
        by: doneBy('transcription'),
      });
      await services.objects.write(key, JSON.stringify(heard), 'application/json');
    }
    await progress.pieceDone(piece);
    return { status: 'done', retry_after_s: 0 };
  },
);

/** Terms of the word lists of the template, as hints for the engine. Blacklisted words are removed later. */
async function termsOf(
  { table, tenant }: Pick<IngestServices, 'table' | 'tenant'>,
  templateId: string | null,
): Promise<string[]> {
  const asked = await findTemplate(templateId, { table, tenant });
  const { whitelist, dictionary } = await wordListsOf(table, tenant, asked, null);
  return [...whitelist, ...Object.keys(dictionary)];
}

function requestOf(
  input: PieceInput,
  known: Pick<
    TranscriptionRequest,
    'language' | 'utterances' | 'terms' | 'age_ms' | 'key' | 'signal' | 'onProgress'
  >,
  { objects, tenant }: Pick<IngestServices, 'objects' | 'tenant'>,
): TranscriptionRequest {
  const { audio } = input;
  const readSamples = async ({ start_ms, end_ms }: Interval) => {
    const { first, last } = byteRange(start_ms, end_ms);
    return objects.readRange(audio.key, first, last);
  };
  return {
    ...known,
    readSamples,
    locate: async (piece) => {
      const isWhole = piece.start_ms === 0 && piece.end_ms === audio.duration_ms;
      if (isWhole) return `s3://${objects.bucket}/${audio.key}`;
      const own = pieceKey(tenant, input, piece.index);
      await objects.write(own, wavFile(await readSamples(piece)), 'audio/wav');
      return `s3://${objects.bucket}/${own}`;
    },
  };
}
