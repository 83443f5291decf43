/** The demo's voice over: a translation spoken over the original, in a video of its own where there is a picture. */
import { join } from 'node:path';
import { jobEnd, type Kinora, ProblemError, type VoiceOverJob } from '../../client/index.ts';
import { save } from './download.ts';

export interface Spoken {
  /** Path of the video, or of the sound where there is no picture. */
  readonly media: string;
  /** What there is to say of it. */
  readonly summary: string;
}

interface Wanted {
  readonly asset_id: string;
  readonly language_id: string;
  /** Code of the language, which stands in the name of the file. */
  readonly code: string;
  readonly folder: string;
}

const extensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/mp2t': 'ts',
  'video/x-matroska': 'mkv',
};

/**
 * Has a translation spoken, and saves what came of it.
 * @param seen learns of each look at the job
 * @returns what was made, or why there is no voice over
 */
export async function voiceOver(
  kinora: Kinora,
  { asset_id, language_id, code, folder }: Wanted,
  seen: (job: VoiceOverJob) => void,
): Promise<Spoken | string> {
  try {
    const { width } = await kinora.getAsset({ asset_id });
    const body = { language_ids: [language_id], mux: width !== null };
    const { job_id } = await kinora.createVoiceOverJob({ asset_id, body });
    const job = await jobEnd(() => kinora.getVoiceOverJob({ asset_id, job_id }), seen, 300);
    const [item] = job.items;
    const error = item?.error ?? job.error;
    if (error !== null || !item?.result) return `${error?.title}: ${error?.detail}`;
    const track = { asset_id, audio_track_id: item.result.audio_track_id };
    const { video } = await kinora.getAudioTrack(track);
    const fit = await kinora.getAudioTrackFit(track);
    const name = video ? `video.${code}.${extensions[video.media_type] ?? 'mkv'}` : `sound.${code}.m4a`;
    const media = join(folder, name);
    const { url } = video
      ? await kinora.getAudioTrackVideoDownloadUrl(track)
      : await kinora.getAudioTrackDownloadUrl(track);
    await save(url, media);
    const loudness = fit.integrated_lufs === null ? '' : `, ${fit.integrated_lufs.toFixed(1)} LUFS`;
    return { media, summary: `${fit.segments.length} segments spoken${loudness.replace('-', '−')}` };
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
}
