/** How many characters a job will have spoken, before anything is paid for. */
import { type HeldByPart, takingsByPart } from '../../../platform/admission/quota-reservations.ts';
import type { AssetChildren } from '../../../platform/records/asset-children.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { Dub, StoredAudioTrack } from '../../../shared/audio-tracks.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { Limits } from '../../../shared/limits.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import type { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { dubIdOf } from '../records/audio-tracks.ts';
import type { VoiceOverConfig } from '../rules/voice-over-job.ts';

export type Tracks = Pick<AssetChildren<StoredAudioTrack>, 'find'>;

interface Services {
  readonly transcriptions: Pick<Transcriptions, 'list' | 'segments' | 'atVersion'>;
  readonly tracks: Tracks;
}

/** What the job takes of quotas, and of that each language; nothing is read where nobody limits it. */
export const takingsToSpeak = (
  assetId: AssetId,
  languages: readonly string[],
  config: Pick<VoiceOverConfig, 'clone_voice'>,
  limits: Limits,
  services: Services,
) =>
  takingsByPart('spoken_characters', doneBy(config.clone_voice ? 'voice_cloning' : 'speech'), limits, () =>
    charactersToSpeak(assetId, languages, config, services),
  );

/**
 * By language, each segment once: one that does not fit into its time is spoken again, faster, and counts again,
 * which nobody knows before. Of a language that was spoken before counts what reads otherwise since: the rest is kept. A cloned voice
 * says all of it.
 */
export async function charactersToSpeak(
  assetId: AssetId,
  languages: readonly string[],
  { clone_voice }: Pick<VoiceOverConfig, 'clone_voice'>,
  { transcriptions, tracks }: Services,
): Promise<HeldByPart> {
  const characters: Record<string, number> = {};
  for (const head of await transcriptions.list(assetId)) {
    const isAsked = head.source === 'translated' && languages.includes(head.language_id);
    if (!isAsked) continue;
    const track = clone_voice ? null : await tracks.find(assetId, dubIdOf(assetId, head.language_id));
    const spoken = track?.dub === undefined ? new Map() : await textsAt(head, track.dub, transcriptions);
    characters[head.language_id] ??= 0;
    for (const { segment_id, text } of await transcriptions.segments(head))
      if (spoken.get(segment_id) !== text)
        characters[head.language_id] = (characters[head.language_id] ?? 0) + text.length;
  }
  return characters;
}

/** What the segments read as when they were spoken; nothing is known of a version that is kept no longer. */
async function textsAt(
  head: StoredTranscription,
  { transcription_version }: Pick<Dub, 'transcription_version'>,
  transcriptions: Services['transcriptions'],
): Promise<Map<string, string>> {
  const then = await transcriptions.atVersion(head, transcription_version).catch(noneFound);
  const segments = then === null ? [] : await transcriptions.segments(then);
  return new Map(segments.map(({ segment_id, text }) => [segment_id, text]));
}
