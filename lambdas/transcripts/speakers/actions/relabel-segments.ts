/** Assigns segments to a speaker, or removes the assignment, in all transcriptions of an asset. */
import type { AssetId } from '../../../../shared/ids.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { settleTranslations } from '../../lineage/actions/settle-translations.ts';
import { versionChange } from '../../lineage/records/transcription-items.ts';
import type { Transcriptions } from '../../lineage/records/transcriptions.ts';
import {
  concerns,
  isSaidBy,
  type Relabelling,
  relabelled,
  type Speaker,
  standingFor,
} from '../rules/speakers.ts';

/** The time of the edit, and the source of document names. */
interface Editor {
  readonly now: Date;
  readonly newId: () => string;
}

/**
 * The ids and labels that segments of an asset have for a label, and whether any segment has one. Reads one transcription after the
 * other, since an asset may have one in each language.
 * @param ownId the id of a speaker to which a first run of the request may have assigned them
 */
export async function labelledIn(
  assetId: AssetId,
  { label, ownId }: { readonly label: string; readonly ownId: string },
  speakers: readonly Speaker[],
  transcriptions: Transcriptions,
): Promise<{ was: ReadonlySet<string>; isThere: boolean }> {
  const was = new Set<string>();
  let isThere = false;
  for (const head of await transcriptions.list(assetId)) {
    const segments = await transcriptions.segments(head);
    for (const who of standingFor(label, segments, speakers)) was.add(who);
    const meant = new Set([...was, ownId]);
    isThere ||= segments.some((segment) => isSaidBy(segment, meant));
  }
  return { was, isThere };
}

/**
 * Makes a new version of each transcription that has such segments, originals first. Translations are then compared with the new
 * speakers, so that none becomes stale. A repeat finds nothing to do.
 */
export async function relabel(
  assetId: AssetId,
  change: Relabelling,
  editor: Editor,
  transcriptions: Transcriptions,
): Promise<void> {
  const heads = await transcriptions.list(assetId);
  const isConcerned = (segment: Segment) => concerns(change, segment);
  for (const isOriginal of [true, false]) {
    for (const head of heads.filter(({ source }) => (source === 'transcribed') === isOriginal)) {
      const count = (await transcriptions.segments(head)).filter(isConcerned).length;
      if (count === 0) continue;
      const editing = { ...editor, description: versionChange('edited', count) };
      await transcriptions.edit(assetId, head.transcription_id, editing, (segments) =>
        segments.some(isConcerned) ? relabelled(segments, change) : null,
      );
    }
  }
  await settleTranslations(assetId, transcriptions);
}
