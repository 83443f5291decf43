/** Dubs the demo's translation, into a video file if the original has a picture. */
import { join } from 'node:path';
import { jobEnd, type Kinora, ProblemError, type VoiceOverJob } from '../../client/index.ts';
import { save } from './download.ts';

export interface Spoken {
  /** Path of the video, or of the audio file. */
  readonly media: string;
  readonly summary: string;
}

interface Wanted {
  readonly asset_id: string;
  readonly language_id: string;
  /** Code of the language, part of the file name. */
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
 * Dubs a translation and saves the result.
 * @param seen called with each state of the job
 * @returns the result, or why the voice over failed
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
