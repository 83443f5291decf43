/** Makes audio tracks of a job's results, in the transaction that ends the job. Removes the files of earlier versions. */
import { failureOfState } from '../../../platform/jobs/job-failure.ts';
import type { Write } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { StoredAudioTrack } from '../../../shared/audio-tracks.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { dubIdOf, replaceWrite } from '../records/audio-tracks.ts';
import { type DubJob, dubKey } from '../records/dub-files.ts';
import { type DubEnd, isMade, type MadeDub } from '../rules/dub-outcomes.ts';
import type { DubServices } from './voice-over-step.ts';

/** The reason why a language failed. Null if it succeeded. */
export const dubFailure = (end: DubEnd): JobFailure | null =>
  isMade(end) ? null : failureOfState(end.failure);

/** The reason why a track has no video although the job asked for one. Null if the video exists or was not requested. */
export function videoFailure({ video_failure }: MadeDub): JobFailure | null {
  if (video_failure === undefined) return null;
  const failure = failureOfState(video_failure);
  return { ...failure, detail: `The audio track was made, but the video was not. ${failure.detail}` };
}

/** The writes that create each track, or the next version of an existing track. */
export async function trackWrites(
  { asset_id, job_id }: DubJob,
  made: readonly MadeDub[],
  now: Date,
  { tenant, tracks }: Pick<DubServices, 'tenant' | 'tracks'>,
): Promise<Write[]> {
  return Promise.all(
    made.map(async (dub) => {
      const before = await tracks.find(asset_id, dub.audio_track_id);
      return replaceWrite(tenant, trackOf({ asset_id, job_id }, dub, { before, now, tenant }), before);
    }),
  );
}

function trackOf(
  job: DubJob,
  made: MadeDub,
  {
    before,
    now,
    tenant,
  }: { readonly before: StoredAudioTrack | null; readonly now: Date; readonly tenant: TenantId },
): StoredAudioTrack {
  const { language_id, audio_track_id, transcription_id, transcription_version, video, ...facts } = made;
  const { codec, channels, sample_rate, duration_ms, size_bytes } = facts;
  const ids = { ...job, language_id };
  return {
    ...{ audio_track_id, asset_id: job.asset_id, language_id, source: 'voice_over' },
    ...{ codec, channels, sample_rate, duration_ms, size_bytes, video },
    created_at: before?.created_at ?? now.toISOString(),
    updated_at: now.toISOString(),
    version: (before?.version ?? 0) + 1,
    object_key: dubKey(tenant, ids, 'sound.m4a'),
    dub: {
      ...{ transcription_id, transcription_version, job_id: job.job_id },
      fit_key: dubKey(tenant, ids, 'fit.json.gz'),
      video_key: video === null ? null : dubKey(tenant, ids, 'video'),
      replaced_job_id: before?.dub?.job_id ?? null,
    },
  };
}

/** Removes the previous version of a language's track, and speech that no track of the language uses. */
export async function removeUnused(
  asset_id: AssetId,
  language_id: string,
  { tracks, files }: Pick<DubServices, 'tracks' | 'files'>,
): Promise<void> {
  const track = await tracks.find(asset_id, dubIdOf(asset_id, language_id));
  const replaced = track?.dub?.replaced_job_id ?? null;
  if (replaced !== null) await files.removeLanguage({ asset_id, job_id: replaced, language_id });
  const fit = track?.dub === undefined ? null : await files.fitAt(track.dub.fit_key);
  const names = fit?.segments.map(({ name }) => name) ?? [];
  await files.removeOtherPieces({ asset_id, language_id }, names);
}
