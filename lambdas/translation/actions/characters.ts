/** How many characters a job will have translated, before anything is paid for. */
import { type HeldByPart, takingsByPart } from '../../../platform/admission/quota-reservations.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { quotaExceeded } from '../../../shared/job-errors.ts';
import { languageById } from '../../../shared/languages.ts';
import type { Limits } from '../../../shared/limits.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import type { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { charactersOf, planned } from '../rules/translated-segments.ts';

interface Asked {
  readonly language_ids: readonly string[];
  readonly segment_ids: readonly string[] | null;
}

interface Services {
  readonly transcriptions: Pick<Transcriptions, 'list' | 'segments'>;
}

/** What the job takes of quotas, and of that each language; nothing is read where nobody limits it. */
export const takingsFor = (source: StoredTranscription, asked: Asked, limits: Limits, services: Services) =>
  takingsByPart('translated_characters', doneBy('translation'), limits, () =>
    charactersFor(source, asked, services),
  );

/** Throws quota_exceeded where there is more to say than was held when the job was asked for. */
export function requireHeld(characters: number, held: number | undefined): void {
  if (held === undefined || characters <= held) return;
  throw quotaExceeded(
    `The text had ${held} characters when the job was asked for, and has ${characters} now: ask again.`,
  );
}

/** By language. */
export async function charactersFor(
  source: StoredTranscription,
  { language_ids, segment_ids }: Asked,
  { transcriptions }: Services,
): Promise<HeldByPart> {
  const { code: language } = languageById(source.language_id)!;
  const original = { segments: await transcriptions.segments(source), language };
  const heads = await transcriptions.list(source.asset_id);
  const characters: Record<string, number> = {};
  for (const id of language_ids) {
    const before = heads.find((head) => head.source === 'translated' && head.language_id === id);
    const named = before === undefined || segment_ids === null ? null : new Set(segment_ids);
    const translated = before === undefined ? [] : await transcriptions.segments(before);
    characters[id] = charactersOf(planned(original, named, translated));
  }
  return characters;
}
