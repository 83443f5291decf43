/** How many characters a job will have spoken at most, before anything is paid for. */
import { type Characters, hasCharacterQuota } from '../../../platform/jobs/character-quota.ts';
import type { StoredAudioTrack } from '../../../platform/shared/audio-tracks.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { Limits } from '../../../platform/shared/limits.ts';
import type { AssetChildren } from '../../../platform/store/asset-children.ts';
import type { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { dubIdOf } from '../records/audio-tracks.ts';

interface Services {
  readonly transcriptions: Pick<Transcriptions, 'list' | 'segments'>;
  readonly tracks: Pick<AssetChildren<StoredAudioTrack>, 'find'>;
}

/**
 * Of all languages together; undefined where nobody limits them, and nothing is read. A language that was spoken before counts as
 * nothing: what did not change is kept, so that a correction is not refused for the price of the whole.
 */
export async function charactersToSpeak(
  assetId: AssetId,
  languages: readonly string[],
  limits: Limits,
  { transcriptions, tracks }: Services,
): Promise<Characters | undefined> {
  const metric = 'spoken_characters';
  if (!hasCharacterQuota(limits, metric)) return undefined;
  let characters = 0;
  for (const head of await transcriptions.list(assetId)) {
    const isAsked = head.source === 'translated' && languages.includes(head.language_id);
    if (!isAsked || (await tracks.find(assetId, dubIdOf(assetId, head.language_id))) !== null) continue;
    for (const { text } of await transcriptions.segments(head)) characters += text.length;
  }
  return { metric, characters };
}
