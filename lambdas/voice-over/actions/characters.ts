/** How many characters a job will have spoken, before anything is paid for. */
import { hasQuotaOf, type Taking, takingsOf } from '../../../platform/jobs/job-quotas.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { StoredAudioTrack } from '../../../platform/shared/audio-tracks.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { Limits } from '../../../platform/shared/limits.ts';
import type { AssetChildren } from '../../../platform/store/asset-children.ts';
import type { Transcriptions } from '../../transcripts/records/transcriptions.ts';
import { dubIdOf } from '../records/audio-tracks.ts';
import type { VoiceOverConfig } from '../rules/jobs.ts';

export type Tracks = Pick<AssetChildren<StoredAudioTrack>, 'find'>;

interface Services {
  readonly transcriptions: Pick<Transcriptions, 'list' | 'segments'>;
  readonly tracks: Tracks;
}

/** What the job takes of quotas; nothing is read where nobody limits it. */
export async function takingsToSpeak(
  assetId: AssetId,
  languages: readonly string[],
  { clone_voice }: Pick<VoiceOverConfig, 'clone_voice'>,
  limits: Limits,
  services: Services,
): Promise<Taking[]> {
  const meter = 'spoken_characters';
  if (!hasQuotaOf(limits, [meter, 'cost_microusd'])) return [];
  const by = doneBy(clone_voice ? 'voice_cloning' : 'speech');
  return takingsOf(meter, await charactersToSpeak(assetId, languages, services), by, limits);
}

/**
 * Of all languages together, each segment once: one that does not fit into its time is spoken again, faster, and counts again,
 * which nobody knows before. A language that was spoken before counts as nothing: what did not change is kept, so that a correction
 * is not refused for the price of the whole.
 */
export async function charactersToSpeak(
  assetId: AssetId,
  languages: readonly string[],
  { transcriptions, tracks }: Services,
): Promise<number> {
  let characters = 0;
  for (const head of await transcriptions.list(assetId)) {
    const isAsked = head.source === 'translated' && languages.includes(head.language_id);
    if (!isAsked || (await tracks.find(assetId, dubIdOf(assetId, head.language_id))) !== null) continue;
    for (const { text } of await transcriptions.segments(head)) characters += text.length;
  }
  return characters;
}
