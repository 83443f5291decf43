/** The jobs of the demo: translation, voice over and clip. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ClipsJob,
  jobEnd,
  type Kinora,
  ProblemError,
  type TranslationJob,
  type VoiceOverJob,
} from '../../client/index.ts';
import { defined, itemAt } from '../../shared/checked-access.ts';
import type { ShownClip } from './watch-page.ts';

/** Downloads a presigned URL to a file. */
export async function save(url: string, path: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The storage answered ${answer.status}`);
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path));
}

/** Returns the result of the work. If the API refuses the work, returns the message of the problem. */
export const orRefusal = <Result>(work: Promise<Result>): Promise<Result | string> =>
  work.catch((error: unknown) => {
    if (error instanceof ProblemError) return error.message;
    throw error;
  });

/** Translates the transcript into Spanish, or a Spanish transcript into English. Returns null, or why it failed. */
export async function translate(
  kinora: Kinora,
  asset_id: string,
  spoken: string,
  seen: (job: TranslationJob) => void,
): Promise<string | null> {
  const target = spoken.startsWith('es') ? 'en' : 'es';
  const languages = await kinora.listLanguages({ items: 100 });
  const { language_id } = defined(languages.data.find(({ code }) => code === target));
  const body = { language_ids: [language_id] };
  const { job_id } = await kinora.createTranslationJob({ asset_id, body });
  const job = await jobEnd(() => kinora.getTranslationJob({ asset_id, job_id }), seen, 300);
  const error = job.items.find((item) => item.error !== null)?.error ?? job.error;
  return error === null ? null : `${error.title}: ${error.detail}`;
}

interface Spoken {
  /** Path of the video, or of the audio file. */
  readonly media: string;
  readonly summary: string;
}

interface WantedVoice {
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

/** Dubs the translation and saves the result: a video file if the original has a picture. If this fails, returns the reason. */
export async function voiceOver(
  kinora: Kinora,
  { asset_id, language_id, code, folder }: WantedVoice,
  seen: (job: VoiceOverJob) => void,
): Promise<Spoken | string> {
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
}

interface WantedClip {
  readonly asset_id: string;
  readonly duration_ms: number;
  /** Language of the burned-in subtitles. Null: no subtitles. */
  readonly subtitles: { readonly language_id: string; readonly code: string; readonly name: string } | null;
  readonly folder: string;
}

/** The duration of the clip: the time for which people watch on a phone. */
const LENGTH_MS = 30_000;
const BRANDING = 'Kinora demo';

/** Renders the first half minute of the film in an upright frame, with a branding, and saves it. */
export async function renderClip(
  kinora: Kinora,
  { asset_id, duration_ms, subtitles, folder }: WantedClip,
  seen: (job: ClipsJob) => void,
): Promise<ShownClip | string> {
  const clip = {
    start_ms: 0,
    end_ms: Math.min(LENGTH_MS, duration_ms),
    aspect_ratio_x: 9,
    aspect_ratio_y: 16,
    autoframing: true,
    branding_id: await brandingOf(kinora),
    ...(subtitles && { subtitles_language_id: subtitles.language_id }),
  };
  const { data } = await kinora.createVideoClips({ asset_id, body: { video_clips: [clip] } });
  const { video_clip_id } = itemAt(data, 0);
  const body = { video_ids: [video_clip_id] };
  const { job_id } = await kinora.downloadVideoClipsAsync({ asset_id, body });
  const job = await jobEnd(() => kinora.getDownloadJob({ asset_id, job_id }), seen, 300);
  const [item] = job.items;
  const error = item?.error ?? job.error;
  if (error !== null || !item?.result) return `${error?.title}: ${error?.detail}`;
  await mkdir(folder, { recursive: true });
  const name = ['clip.9x16', subtitles?.code].filter(Boolean).join('.');
  const media = join(folder, `${name}.mp4`);
  await save(item.result.url, media);
  const { thumbnail_url } = await kinora.getVideoClip({ asset_id, video_id: video_clip_id });
  const poster = thumbnail_url === null ? null : `${name}.jpg`;
  if (poster !== null) await save(defined(thumbnail_url), join(folder, poster));
  const written = subtitles === null ? '' : `, ${subtitles.name} burned in`;
  return { media, poster, caption: `9:16, auto-framed${written}` };
}

/** Returns the branding of an earlier run, or creates it. */
async function brandingOf(kinora: Kinora): Promise<string> {
  const { data } = await kinora.listBrandings({ items: 100 });
  const known = data.find(({ name }) => name === BRANDING);
  if (known !== undefined) return known.branding_id;
  const style = {
    name: BRANDING,
    font_family: 'DejaVu Sans',
    text_color: '#FFE066',
    font_size_px: 34,
    font_weight: 700,
    vertical_position_pct: 0.14,
    stroke_color: '#101828',
    stroke_thickness_px: 3,
    shadow_color: '#000000',
    shadow_opacity_pct: 0.6,
    shadow_blur: 4,
    shadow_offset_x_px: 0,
    shadow_offset_y_px: 3,
  };
  const { style_id } = await kinora.createBrandingSubtitleStyle({ body: style });
  const { branding_id } = await kinora.createBranding({
    body: { name: BRANDING, subtitle_style_id: style_id },
  });
  return branding_id;
}
