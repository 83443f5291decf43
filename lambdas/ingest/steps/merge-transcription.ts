/** Joins the words of all pieces into sentences, and stores them as the asset's transcription. */

import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { LanguageOutcome, StoredAsset } from '../../../shared/assets.ts';
import { type Language, languageByCode, languageById } from '../../../shared/languages.ts';
import { wordListsOf } from '../../transcripts/segmentation/records/word-lists.ts';
import { withWordLists } from '../../transcripts/segmentation/rules/apply-word-lists.ts';
import { withVoices } from '../../transcripts/segmentation/rules/assign-voices.ts';
import { segmentsFromWords } from '../../transcripts/segmentation/rules/make-segments.ts';
import { trustedWords } from '../../transcripts/segmentation/rules/trust-words.ts';
import { isSame } from '../../translation/rules/language-pairs.ts';
import {
  type HeardPiece,
  type IngestInput,
  type IngestServices,
  ingestServices,
  ingestStep,
  report,
  soundOf,
  wordsKey,
} from '../actions/ingest-services.ts';
import { languageDoubt } from '../rules/assumed-language.ts';

interface MergeInput extends IngestInput {
  /** Number of transcribed pieces. */
  readonly pieces: number;
}

interface Merged {
  /** Target languages of the template. */
  readonly translate: readonly string[];
  /** Target languages that also get a voice over. */
  readonly speak: readonly string[];
}

export const settings = defineStep<MergeInput>({
  name: 'MergeTranscription',
  description: 'Joins the words of all pieces into segments',
  memory: 1769,
  timeout: 300,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
  },
  event: { ...sampleJob, pieces: 1 },
});

export const handler = ingestStep<MergeInput, Merged>(
  settings,
  async (input, { tenant, now, newId, job }) => {
    const services = ingestServices(tenant);
    const { asset_id } = input;
    await report(input, { tenant, now: now() }, { stage: 'segments' });
    const asset = await services.assets.get(asset_id);
    if (asset.analyses.transcription?.status === 'failed') {
      // The file names a language that no engine of this environment transcribes.
      const { analyses } = asset;
      await report(
        input,
        { tenant, now: now() },
        {
          stage: 'segments',
          fraction: 1,
          facts: {
            analyses: { ...analyses, ...withoutWords(analyses) },
          },
        },
      );
      return { translate: [], speak: [] };
    }
    const heard: HeardPiece[] = [];
    for (let piece = 0; piece < input.pieces; piece++) heard.push(await heardIn(input, piece, services));
    const spoken = heard.find(({ words }) => words.length > 0) ?? heard[0];
    const language =
      (asset.language_id && languageById(asset.language_id)) ||
      languageByCode(spoken?.language ?? '') ||
      english;
    const assumptions = heard.flatMap(({ assumed }) => assumed ?? []);
    const doubt = languageDoubt(assumptions, language.name);
    if (doubt !== null) {
      const transcription = { status: 'failed', error: doubt } as const;
      const analyses = { ...asset.analyses, transcription, ...withoutWords(asset.analyses) };
      await report(input, { tenant, now: now() }, { stage: 'segments', fraction: 1, facts: { analyses } });
      return { translate: [], speak: [] };
    }
    const sound = await soundOf(input, services);
    const spokenWords = withVoices(trustedWords(heard, sound), sound.turns);
    if (spokenWords.length === 0 && asset.language_id === null) {
      // Without speech, the asset has no language.
      const analyses = { ...asset.analyses, transcription: skipped, ...withoutWords(asset.analyses) };
      const [translations, voice_overs] = [asset.translations.map(unneeded), asset.voice_overs.map(unneeded)];
      await report(
        input,
        { tenant, now: now() },
        { stage: 'segments', fraction: 1, facts: { analyses, translations, voice_overs } },
      );
      return { translate: [], speak: [] };
    }
    const asked = await services.templates.find(asset.template_id);
    const lists = await wordListsOf(coreTable(tenant), tenant, asked, language.code);
    const words = withWordLists(spokenWords, lists);
    const segments = segmentsFromWords(words, { newId, language: language.code });
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
    // Without a transcription, no translation or voice over is made.
    const wanted = (outcomes: readonly LanguageOutcome[]) =>
      segments.length === 0 ? outcomes.map(unneeded) : withoutSpoken(outcomes, language);
    const [translations, voice_overs] = [wanted(asset.translations), wanted(asset.voice_overs)];
    await report(
      input,
      { tenant, now: now() },
      {
        stage: 'segments',
        fraction: 1,
        facts: {
          language_id: asset.language_id ?? language.language_id,
          translations,
          voice_overs,
        },
      },
    );
    return { translate: running(translations), speak: running(voice_overs) };
  },
);

const running = (outcomes: readonly LanguageOutcome[]) =>
  outcomes.filter(({ status }) => status === 'running').map(({ language_id }) => language_id);

/** The original language needs no translation and no voice over. */
const withoutSpoken = (outcomes: readonly LanguageOutcome[], spoken: Language): readonly LanguageOutcome[] =>
  outcomes.map((outcome) => {
    const language = languageById(outcome.language_id);
    const isSpoken = language !== undefined && isSame(language, spoken);
    return isSpoken ? { ...outcome, status: 'skipped', error: null } : outcome;
  });

/** For an engine that does not return the language. */
const english = languageByCode('en')!;

const skipped = { status: 'skipped', error: null } as const;
const unneeded = (outcome: LanguageOutcome): LanguageOutcome =>
  outcome.status === 'running' ? { ...outcome, ...skipped } : outcome;

/** Without a transcription, the word lists are not applied. */
const withoutWords = ({ word_lists }: StoredAsset['analyses']) =>
  word_lists?.status === 'running' ? { word_lists: skipped } : {};

async function heardIn(
  input: MergeInput,
  piece: number,
  { objects, tenant }: IngestServices,
): Promise<HeardPiece> {
  const bytes = await objects.read(wordsKey(tenant, input, piece));
  if (bytes === null) throw new Error(`The words of piece ${piece} are missing`);
  const heard = JSON.parse(Buffer.from(bytes).toString('utf8')) as HeardPiece;
  // JSON writes NaN as null. It is the confidence of an engine that returns none.
  return {
    ...heard,
    words: heard.words.map((word) => ({ ...word, confidence: word.confidence ?? Number.NaN })),
  };
}
