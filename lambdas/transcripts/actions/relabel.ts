/** Gives segments to a speaker, or takes them away, in all transcriptions of an asset. */
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import { didOf, type Transcriptions } from '../records/transcriptions.ts';
import { isAnyStale } from '../rules/lineage.ts';
import { concerns, type Relabelling, relabelled } from '../rules/speakers.ts';
import { areStill, originalsOf } from './originals.ts';

/** When it is done, and where names of documents are from. */
interface Editor {
  readonly now: Date;
  readonly newId: () => string;
}

/** Whether any segment of the asset is said by a speaker, or has a label, of these. */
export async function isAnySaidBy(
  assetId: AssetId,
  speakers: readonly string[],
  transcriptions: Transcriptions,
): Promise<boolean> {
  for (const head of await transcriptions.list(assetId)) {
    const segments = await transcriptions.segments(head);
    if (segments.some(({ speaker_id, speaker }) => speakers.includes(speaker_id ?? speaker ?? '')))
      return true;
  }
  return false;
}

/**
 * Makes a version of each transcription that has such segments. Originals first: what is translated of them is then held
 * against who speaks there now, and no translation is stale for it. A repeat finds nothing left to do.
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
    const originals = isOriginal ? null : await originalsOf(assetId, transcriptions);
    for (const head of heads.filter(({ source }) => (source === 'transcribed') === isOriginal)) {
      const count = (await transcriptions.segments(head)).filter(isConcerned).length;
      if (count === 0) continue;
      const isStale = originals && {
        isStale: (after: readonly Segment[]) => isAnyStale(after, originals.origins),
      };
      const editing = { ...editor, did: didOf('edited', count), ...isStale };
      const next = await transcriptions.edit(assetId, head.transcription_id, editing, (segments) =>
        segments.some(isConcerned) ? relabelled(segments, change) : null,
      );
      if (originals && !next.stale && !(await areStill(originals.versions, assetId, transcriptions)))
        await transcriptions.markStale(next);
    }
  }
}
