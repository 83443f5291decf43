/** Joins the words of all pieces into sentences, and makes them the asset's transcription. */

import { whenDeleted } from '../../../platform/kernel/step.ts';
import { languageByCode, languageById } from '../../../platform/shared/languages.ts';
import type { Word } from '../../../platform/shared/segments.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { segmentsFromWords } from '../../transcripts/rules/segmentation.ts';
import {
  type IngestInput,
  type IngestServices,
  ingestServices,
  ingestStep,
  type PreparedAudio,
  report,
  wordsKey,
} from '../actions/ingest.ts';

interface MergeInput extends IngestInput {
  readonly audio: PreparedAudio;
}

interface Words {
  readonly words: Word[];
  readonly language: string;
}

export const handler = ingestStep<MergeInput, object>(
  'MergeTranscription',
  async (input, { tenant, now, newId, job }) => {
    const services = ingestServices(tenant);
    const { asset_id, audio } = input;
    await report(input, tenant, now(), 'segments');
    const asset = await services.assets.get(asset_id);
    const pieces: Words[] = [];
    for (const { index } of audio.pieces) pieces.push(await wordsOf(input, tenant, index, services));
    const spoken = pieces.find(({ words }) => words.length > 0) ?? pieces[0];
    const language =
      (asset.language_id && languageById(asset.language_id)) ||
      languageByCode(spoken?.language ?? '') ||
      english;
    const segments = segmentsFromWords(
      pieces.flatMap(({ words }) => words),
      { newId, language: language.code },
    );
    const created = now().toISOString();
    const head = {
      transcription_id: job.own.transcription_id,
      asset_id,
      language_id: language.language_id,
      source: 'transcribed' as const,
      version: 1,
      stale: false,
      segment_count: segments.length,
      created_at: created,
      updated_at: created,
    };
    await services.transcriptions.create(head, segments).catch(whenDeleted);
    await services.assets.addLanguage(asset_id, language.language_id, now());
    await report(input, tenant, now(), 'segments', 1, {
      language_id: asset.language_id ?? language.language_id,
    });
    return {};
  },
);

/** Where nothing was said and nobody told, some language has to stand. */
const english = languageByCode('en')!;

async function wordsOf(input: MergeInput, tenant: TenantId, piece: number, { objects }: IngestServices) {
  const bytes = await objects.read(wordsKey(tenant, input, piece));
  if (bytes === null) throw new Error(`The words of piece ${piece} are missing`);
  const { words, language } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Words;
  // JSON writes NaN, the confidence of an engine that gives none, as null.
  return { language, words: words.map((word) => ({ ...word, confidence: word.confidence ?? Number.NaN })) };
}
