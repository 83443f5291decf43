/** What the translations of an asset came of: its transcribed segments, as they are now. */
import type { AssetId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import type { StoredTranscription, Transcription, Transcriptions } from '../records/transcriptions.ts';
import { isAnyStale, type Origin, originsOf } from '../rules/staleness.ts';

export interface Originals {
  readonly origins: ReadonlyMap<string, Origin>;
  /** Changes with each edit of any of them. */
  readonly versions: string;
}

export async function originalsOf(assetId: AssetId, transcriptions: Transcriptions): Promise<Originals> {
  const heads = transcribed(await transcriptions.list(assetId));
  return { origins: await originsIn(heads, transcriptions), versions: versionsOf(heads) };
}

async function originsIn(
  heads: readonly StoredTranscription[],
  transcriptions: Transcriptions,
): Promise<ReadonlyMap<string, Origin>> {
  const origins = await Promise.all(
    heads.map(async (head) =>
      originsOf(await transcriptions.segments(head), languageById(head.language_id)?.code),
    ),
  );
  return new Map(origins.flatMap((each) => [...each]));
}

/** Takes the mark off translations of which nothing is stale any more, since what they came of is as it was. */
export async function settleTranslations(assetId: AssetId, transcriptions: Transcriptions): Promise<void> {
  const heads = await transcriptions.list(assetId);
  const stale = heads.filter(({ source, stale }) => source === 'translated' && stale);
  if (stale.length === 0) return;
  const originals = transcribed(heads);
  const origins = await originsIn(originals, transcriptions);
  for (const head of stale) {
    if (!isAnyStale(await transcriptions.segments(head), origins))
      await transcriptions.settle(head, originals);
  }
}

/** Whether they are as they were when `versions` was told. */
export const areStill = async (versions: string, assetId: AssetId, transcriptions: Transcriptions) =>
  versionsOf(transcribed(await transcriptions.list(assetId))) === versions;

/** The ETag of a translation without the part that tells of its original, to which no edit is held. */
export const withoutOriginals = (tag: string): string => tag.replace(/^(\d+)-of-[\d.]+/, '$1');

const transcribed = <T extends Transcription>(heads: readonly T[]): T[] =>
  heads.filter(({ source }) => source === 'transcribed');

const versionsOf = (heads: readonly Transcription[]) => heads.map(({ version }) => version).join('.');
