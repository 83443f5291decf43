/** Gives segments to a speaker, or takes them away, in all transcriptions of an asset. */
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { Segment } from '../../../platform/shared/segments.ts';
import { didOf, type Transcriptions } from '../records/transcriptions.ts';
import { concerns, type Relabelling, relabelled } from '../rules/speakers.ts';
import { settleTranslations } from './originals.ts';

/** When it is done, and where names of documents are from. */
interface Editor {
  readonly now: Date;
  readonly newId: () => string;
}

/** The segments of all transcriptions of an asset, as they are now. */
export async function allSegments(assetId: AssetId, transcriptions: Transcriptions): Promise<Segment[]> {
  const heads = await transcriptions.list(assetId);
  return (await Promise.all(heads.map((head) => transcriptions.segments(head)))).flat();
}

/**
 * Makes a version of each transcription that has such segments. Originals first: what is translated of them is then held
 * against who speaks there now, and no translation is stale for it, whether it has such segments or not. A repeat finds nothing left to do.
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
      const editing = { ...editor, did: didOf('edited', count) };
      await transcriptions.edit(assetId, head.transcription_id, editing, (segments) =>
        segments.some(isConcerned) ? relabelled(segments, change) : null,
      );
    }
  }
  await settleTranslations(assetId, transcriptions);
}
