/** How many characters a job will have translated, before anything is paid for. */
import { type Characters, hasCharacterQuota } from '../../../platform/jobs/character-quota.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import type { Limits } from '../../../platform/shared/limits.ts';
import type { StoredTranscription, Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { charactersOf, planned } from '../rules/translated-segments.ts';

interface Asked {
  readonly language_ids: readonly string[];
  readonly segment_ids: readonly string[] | null;
}

/** Of all languages together; undefined where nobody limits them, and nothing is read. */
export async function charactersFor(
  source: StoredTranscription,
  { language_ids, segment_ids }: Asked,
  limits: Limits,
  { transcriptions }: { readonly transcriptions: Pick<Transcriptions, 'list' | 'segments'> },
): Promise<Characters | undefined> {
  const metric = 'translated_characters';
  if (!hasCharacterQuota(limits, metric)) return undefined;
  const { code: language } = languageById(source.language_id)!;
  const original = { segments: await transcriptions.segments(source), language };
  const heads = await transcriptions.list(source.asset_id);
  let characters = 0;
  for (const id of language_ids) {
    const before = heads.find((head) => head.source === 'translated' && head.language_id === id);
    const named = before === undefined || segment_ids === null ? null : new Set(segment_ids);
    const translated = before === undefined ? [] : await transcriptions.segments(before);
    characters += charactersOf(planned(original, named, translated));
  }
  return { metric, characters };
}
