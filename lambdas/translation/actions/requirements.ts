/** Checks that an asset has what a job needs: a transcription, languages, translations and segments. */
import { requireReferences } from '../../../platform/records/references.ts';
import { declarationOf } from '../../../platform/runtime/engines.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { languageById } from '../../../shared/languages.ts';
import { InvalidState, requireKnown, UnsupportedLanguage } from '../../../shared/problems.ts';
import type {
  StoredTranscription,
  Transcription,
} from '../../transcripts/lineage/records/transcription-items.ts';
import { idsOf } from '../../transcripts/lineage/rules/missing.ts';
import { whyUnreachable } from '../rules/language-pairs.ts';
import type { TranslationServices } from './translation-services.ts';

export function requireLanguages(
  ids: readonly string[],
  { table, tenant }: Pick<TranslationServices, 'table' | 'tenant'>,
): Promise<void> {
  const language = { type: 'languages', kind: 'language' };
  const references = ids.map((id, at) => ({ pointer: `/language_ids/${at}`, ...language, id }));
  return requireReferences(table, tenant, references);
}

/** The transcription to translate. Throws invalid_state if the asset has none. */
export async function requireTranscribed(
  assetId: AssetId,
  { transcriptions }: Pick<TranslationServices, 'transcriptions'>,
): Promise<StoredTranscription> {
  const heads = await transcriptions.list(assetId);
  const heard = heads.findLast(({ source }) => source === 'transcribed');
  if (heard === undefined)
    throw new InvalidState('The asset has no transcription: no speech was found in it.');
  return heard;
}

/** Throws language_unsupported for the first language that is the spoken one, or that no engine translates into. */
export function requireReachable(languages: readonly string[], { language_id }: Transcription): void {
  const source = languageById(language_id);
  if (source === undefined) return;
  const engine = declarationOf('translation');
  languages.forEach((id, at) => {
    const refusal = whyUnreachable(engine, source, defined(languageById(id)));
    if (refusal !== null) throw new UnsupportedLanguage(`/language_ids/${at}`, refusal);
  });
}

export async function requireTranslated(
  assetId: AssetId,
  languages: readonly string[],
  { transcriptions }: Pick<TranslationServices, 'transcriptions'>,
): Promise<void> {
  const translated = (await transcriptions.list(assetId)).filter(({ source }) => source === 'translated');
  const known = new Set(translated.map(({ language_id }) => language_id));
  const missing = languages.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new InvalidState(`The asset is not translated into the language ${missing}: translate it first.`);
  }
}

/** Checks that each id is of a segment of the original, or of a deleted one that still has a translation. */
export async function requireSegments(
  assetId: AssetId,
  ids: readonly string[],
  languages: readonly string[],
  { transcriptions }: Pick<TranslationServices, 'transcriptions'>,
): Promise<void> {
  const heads = await transcriptions.list(assetId);
  const segmentsOf = async (all: typeof heads) =>
    (await Promise.all(all.map((head) => transcriptions.segments(head)))).flat();
  const heard = await segmentsOf(heads.filter(({ source }) => source === 'transcribed'));
  const known = new Set<string | null>(heard.map(({ segment_id }) => segment_id));
  if (ids.every((id) => known.has(id))) return;
  const translated = heads.filter(
    ({ source, language_id }) => source === 'translated' && languages.includes(language_id),
  );
  for (const id of idsOf(await segmentsOf(translated))) known.add(id);
  requireKnown(ids, known, { pointer: '/segment_ids', kind: 'segment', most: 50 });
}
