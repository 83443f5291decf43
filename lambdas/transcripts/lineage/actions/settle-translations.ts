/** Compares translations with their originals: the current transcribed segments of their asset. */
import type { AssetId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import type { StoredTranscription, Transcription } from '../records/transcription-items.ts';
import type { Transcriptions } from '../records/transcriptions.ts';
import { isBehind, type Originals } from '../rules/missing.ts';
import { originsOf } from '../rules/staleness.ts';

export interface ReadOriginals extends Originals {
  /** The versions of the originals. Every edit of an original changes this text. */
  readonly versions: string;
}

export async function readOriginals(
  heads: readonly StoredTranscription[],
  transcriptions: Transcriptions,
): Promise<ReadOriginals> {
  const originals = transcribed(heads);
  const origins = await Promise.all(
    originals.map(async (head) =>
      originsOf(await transcriptions.segments(head), languageById(head.language_id)?.code),
    ),
  );
  return {
    origins: new Map(origins.flatMap((each) => [...each])),
    needed: origins.at(-1) ?? new Map(),
    versions: versionsOf(originals),
  };
}

/** Removes the stale mark of each translation that has all originals and matches them again. */
export async function settleTranslations(assetId: AssetId, transcriptions: Transcriptions): Promise<void> {
  const heads = await transcriptions.list(assetId);
  const stale = heads.filter(({ source, stale }) => source === 'translated' && stale);
  if (stale.length === 0) return;
  const originals = await readOriginals(heads, transcriptions);
  for (const head of stale) {
    if (!isBehind(await transcriptions.content(head), originals))
      await transcriptions.clearStaleMark(head, transcribed(heads));
  }
}

/** Whether the originals of an asset still have these versions. */
export const areUnchanged = async (versions: string, assetId: AssetId, transcriptions: Transcriptions) =>
  versionsOf(transcribed(await transcriptions.list(assetId))) === versions;

/** Removes the versions of the originals from the ETag of a translation: If-Match is compared without them. */
export const withoutOriginals = (tag: string): string => tag.replace(/^(\d+)-of-[\d.]+/, '$1');

const transcribed = <T extends Transcription>(heads: readonly T[]): T[] =>
  heads.filter(({ source }) => source === 'transcribed');

const versionsOf = (heads: readonly Transcription[]) => heads.map(({ version }) => version).join('.');
