import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { LanguageOutcome, Outcome, StoredAsset } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import { type Language, languageByCode, languageById } from '../../../shared/languages.ts';
import { firstVersion } from '../../../shared/versions.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import { wordListsOf } from '../../transcripts/segmentation/records/word-lists.ts';
import { withWordLists } from '../../transcripts/segmentation/rules/apply-word-lists.ts';
import { withVoices } from '../../transcripts/segmentation/rules/assign-voices.ts';
import { segmentsFromWords } from '../../transcripts/segmentation/rules/make-segments.ts';
import { trustedWords } from '../../transcripts/segmentation/rules/trust-words.ts';
import { isSame } from '../../translation/rules/language-pairs.ts';
import { type HeardPiece, soundOf, wordsKey } from '../actions/ingest-objects.ts';
import { type IngestServices, ingestStep } from '../actions/ingest-step.ts';
import { languageDoubt } from '../rules/assumed-language.ts';
import { skipped, withoutTerms } from '../rules/outcomes.ts';

interface MergeInput extends AssetJobInput {
  readonly pieces: number;
}

interface Merged {
  readonly translate: readonly string[];
  /** Target languages that also get a voice over. */
  readonly speak: readonly string[];
}

export const settings = defineStep<MergeInput>({
  name: 'MergeTranscription',
  description: "Joins the words of all pieces into sentences, and stores them as the asset's transcription",
  memory: 1769,
  timeout: 300,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
  },
  event: { ...sampleJob, pieces: 1 },
});

export const handler = ingestStep<MergeInput, Merged>(settings, async (input, context) => {
  const { tenant, table, assets, transcriptions, progress, now, newId, job } = context;
  const { asset_id } = input;
  await progress.report({ stage: 'segments' });
  const asset = await assets.get(asset_id);
  const endWith = async (facts: Partial<StoredAsset>): Promise<Merged> => {
    await progress.report({ stage: 'segments', fraction: 1, facts });
    const { translations = [], voice_overs = [] } = facts;
    return { translate: running(translations), speak: running(voice_overs) };
  };
  const analysesWith = (transcription: Outcome): StoredAsset['analyses'] => ({
    ...asset.analyses,
    transcription,
    ...(asset.analyses.word_lists?.status === 'running' && { word_lists: skipped }),
  });
  const { transcription } = asset.analyses;
  // The transcription failed before any piece: the file states a language that no engine here transcribes.
  if (transcription?.status === 'failed') return endWith({ analyses: analysesWith(transcription) });
  const heard: HeardPiece[] = [];
  for (let piece = 0; piece < input.pieces; piece++) heard.push(await heardIn(input, piece, context));
  const spoken = heard.find(({ words }) => words.length > 0) ?? heard[0];
  const language =
    (asset.language_id && languageById(asset.language_id)) ||
    languageByCode(spoken?.language ?? '') ||
    english;
  const assumptions = heard.flatMap(({ assumed }) => assumed ?? []);
  const doubt = languageDoubt(assumptions, language.name);
  if (doubt !== null) return endWith({ analyses: analysesWith({ status: 'failed', error: doubt }) });
  const sound = await soundOf(input, context);
  const spokenWords = withVoices(trustedWords(heard, sound), sound.turns);
  if (spokenWords.length === 0 && asset.language_id === null) {
    // Without speech, the asset has no language.
    const [translations, voice_overs] = [asset.translations.map(unneeded), asset.voice_overs.map(unneeded)];
    return endWith({ analyses: analysesWith(skipped), translations, voice_overs });
  }
  const asked = await findTemplate(asset.template_id, context);
  const lists = await wordListsOf(table, tenant, asked, language.code);
  const words = withWordLists(spokenWords, lists);
  const segments = segmentsFromWords(words, { newId, language: language.code });
  const { language_id } = language;
  const head = {
    ...{ transcription_id: job.own.transcription_id, asset_id, language_id, source: 'transcribed' as const },
    ...{ ...firstVersion(now()), stale: false, segment_count: segments.length },
  };
  await transcriptions.create(head, segments).catch(whenDeleted);
  await assets.addLanguage(asset_id, language_id, now());
  // Without a transcription, no translation or voice over is made.
  const wanted = (outcomes: readonly LanguageOutcome[]) =>
    segments.length === 0 ? outcomes.map(unneeded) : withoutSpoken(outcomes, language);
  const [translations, voice_overs] = [wanted(asset.translations), wanted(asset.voice_overs)];
  const isWithout = asset.analyses.word_lists?.status === 'running' && heard.some((one) => one.without_terms);
  return endWith({
    ...{ language_id: asset.language_id ?? language_id, translations, voice_overs },
    ...(isWithout && { analyses: { ...asset.analyses, word_lists: withoutTerms } }),
  });
});

const running = (outcomes: readonly LanguageOutcome[]) =>
  outcomes.filter(({ status }) => status === 'running').map(({ language_id }) => language_id);

/** Marks the spoken language as unneeded: it gets no translation and no voice over. */
const withoutSpoken = (outcomes: readonly LanguageOutcome[], spoken: Language): readonly LanguageOutcome[] =>
  outcomes.map((outcome) => {
    const language = languageById(outcome.language_id);
    const isSpoken = language !== undefined && isSame(language, spoken);
    return isSpoken ? { ...outcome, status: 'skipped', error: null } : outcome;
  });

/** The language of speech if the engine does not return one. */
const english = defined(languageByCode('en'));

const unneeded = (outcome: LanguageOutcome): LanguageOutcome =>
  outcome.status === 'running' ? { ...outcome, ...skipped } : outcome;

async function heardIn(
  input: MergeInput,
  piece: number,
  { objects, tenant }: IngestServices,
): Promise<HeardPiece> {
  const bytes = await objects.read(wordsKey(tenant, input, piece));
  if (bytes === null) throw new Error(`The words of piece ${piece} are missing`);
  const heard = JSON.parse(Buffer.from(bytes).toString('utf8')) as HeardPiece;
  // JSON has null for NaN, which is the confidence if the engine returns none.
  return {
    ...heard,
    words: heard.words.map((word) => ({ ...word, confidence: word.confidence ?? Number.NaN })),
  };
}
