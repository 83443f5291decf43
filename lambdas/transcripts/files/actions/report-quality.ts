/** Checks the subtitles of a transcription against a quality profile. */
import type { ListPlaces } from '../../../../platform/records/analysis-lists.ts';
import { cutsOf } from '../../quality/records/cuts.ts';
import type { QcProfileName } from '../../quality/rules/qc-profiles.ts';
import { qcReport } from '../../quality/rules/qc-report.ts';
import type { LoadedTranscription } from './load-transcription.ts';

/** The frame rate of media without one, such as sound, frames a second. */
const USUAL_FRAME_RATE = 25;

export async function reportQuality(
  { head, asset, segments, tag, layout }: LoadedTranscription,
  profile: QcProfileName,
  places: ListPlaces,
) {
  const cuts = await cutsOf(asset.asset_id, places);
  const frameRate = asset.frame_rate ?? USUAL_FRAME_RATE;
  const report = qcReport(segments, { profile, frameRate, ...layout, ...(cuts && { cuts }) });
  const { transcription_id, version } = head;
  const cutsTag = cuts === null ? 'unseen' : cuts.length;
  return {
    report: { transcription_id, version, ...report },
    tag: `${tag}-${profile}-${frameRate}-${cutsTag}`,
  };
}
