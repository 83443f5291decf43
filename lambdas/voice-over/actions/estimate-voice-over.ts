/** Estimates how many characters a job will speak. Quotes and reservations use the estimate. */
import { type DemandByPart, demandOfParts } from '../../../platform/admission/demand.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { Dub } from '../../../shared/audio-tracks.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { StoredTranscription } from '../../transcripts/lineage/records/transcription-items.ts';
import { dubIdOf } from '../records/audio-tracks.ts';
import type { VoiceOverConfig } from '../rules/voice-over-job.ts';
import type { DubServices } from './voice-over-step.ts';

type Services = Pick<DubServices, 'transcriptions' | 'tracks'>;

/**
 * The number of characters for each language, with each segment counted once. If a segment does not fit into its time,
 * it is spoken again, faster. Those characters are not in the estimate. If the language has a dub, only segments that
 * changed since then count, because the speech of the remaining segments is kept. With cloned voices, all segments
 * count.
 */
export async function estimateVoiceOver(
  assetId: AssetId,
  languages: readonly string[],
  { clone_voice }: Pick<VoiceOverConfig, 'clone_voice'>,
  { transcriptions, tracks }: Services,
): Promise<DemandByPart> {
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
  const by = doneBy(clone_voice ? 'voice_cloning' : 'speech');
  return demandOfParts(characters, { meter: 'spoken_characters', by, is_estimate: true });
}

/** The texts of the segments that the dub has spoken. Empty if that version of the transcription is no longer stored. */
async function textsAt(
  head: StoredTranscription,
  { transcription_version }: Pick<Dub, 'transcription_version'>,
  transcriptions: Services['transcriptions'],
): Promise<Map<string, string>> {
  const then = await transcriptions.atVersion(head, transcription_version).catch(noneFound);
  const segments = then === null ? [] : await transcriptions.segments(then);
  return new Map(segments.map(({ segment_id, text }) => [segment_id, text]));
}
