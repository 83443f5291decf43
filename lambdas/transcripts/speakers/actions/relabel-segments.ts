/** Assigns segments to a speaker or removes the assignment, in all transcriptions of an asset. */
import type { AssetId } from '../../../../shared/ids.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { settleTranslations } from '../../lineage/actions/settle-translations.ts';
import { versionChange } from '../../lineage/records/transcription-items.ts';
import type { Editor, Transcriptions } from '../../lineage/records/transcriptions.ts';
import {
  concerns,
  isSaidBy,
  type Relabelling,
  relabelSegments,
  type Speaker,
  standingFor,
} from '../rules/speakers.ts';

/**
 * Finds the ids and labels that segments of an asset have for a label (`was`), and whether any segment has one
 * (`isThere`). Reads one transcription after the other, because an asset can have one in each language.
 * @param ownId the id of the new speaker. A first run of the request may have assigned segments to it already.
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
 * Makes a new version of each transcription with affected segments, originals first. Translations are compared with the
 * new speakers, so the change makes no translation stale. A repeat changes nothing.
 */
export async function relabel(
  assetId: AssetId,
  change: Relabelling,
  editor: Pick<Editor, 'now' | 'newId'>,
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
        segments.some(isConcerned) ? relabelSegments(segments, change) : null,
      );
    }
  }
  await settleTranslations(assetId, transcriptions);
}
