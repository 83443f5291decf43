/** Estimates how many characters a job will translate. Quotes and reservations use the estimate. */
import { type DemandByPart, demandOfParts } from '../../../platform/admission/demand.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { defined } from '../../../shared/checked-access.ts';
import { languageById } from '../../../shared/languages.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import { charactersOf, planTranslation } from '../rules/translated-segments.ts';
import type { TranslationServices } from './translation-services.ts';

interface Asked {
  readonly language_ids: readonly string[];
  readonly segment_ids: readonly string[] | null;
}

/** The number of characters for each language. */
export async function estimateTranslation(
  source: StoredTranscription,
  { language_ids, segment_ids }: Asked,
  { transcriptions }: Pick<TranslationServices, 'transcriptions'>,
): Promise<DemandByPart> {
  const { code: language } = defined(languageById(source.language_id));
  const original = { segments: await transcriptions.segments(source), language };
  const heads = await transcriptions.list(source.asset_id);
  const characters: Record<string, number> = {};
  for (const id of language_ids) {
    const before = heads.find((head) => head.source === 'translated' && head.language_id === id);
    const named = before === undefined || segment_ids === null ? null : new Set(segment_ids);
    const translated = before === undefined ? { segments: [] } : await transcriptions.content(before);
    characters[id] = charactersOf(planTranslation(original, named, translated));
  }
  return demandOfParts(characters, {
    meter: 'translated_characters',
    by: doneBy('translation'),
    is_estimate: false,
  });
}
