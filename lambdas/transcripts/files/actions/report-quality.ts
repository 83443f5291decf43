import { analysisList, type ListPlaces } from '../../../../platform/records/analysis-lists.ts';
import type { QcProfileName } from '../../quality/rules/qc-profiles.ts';
import { qcReport } from '../../quality/rules/qc-report.ts';
import type { LoadedTranscription } from './load-transcription.ts';

/** The frame rate that is used if the media has none, for example sound. Frames a second. */
const USUAL_FRAME_RATE = 25;

/** A shot and how it begins. Only hard cuts count: dissolves and fades do not happen at a single frame. */
type Shot = { readonly start_ms: number; readonly transition: 'cut' | 'dissolve' | 'fade' | 'start' };

export async function reportQuality(
  { head, asset, segments, missing, tag, layout }: LoadedTranscription,
  profile: QcProfileName,
  places: ListPlaces,
) {
  const shots = await analysisList<Shot>(asset.asset_id, 'camera_shoots', places);
  const cuts = shots?.filter(({ transition }) => transition === 'cut').map(({ start_ms }) => start_ms);
  const frameRate = asset.frame_rate ?? USUAL_FRAME_RATE;
  const report = qcReport(segments, { profile, frameRate, ...layout, cuts, missing });
  const { transcription_id, version } = head;
  return {
    report: { transcription_id, version, ...report },
    tag: `${tag}-${profile}-${frameRate}-${cuts?.length ?? 'unseen'}`,
  };
}
