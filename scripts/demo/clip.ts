/** Renders the demo's clip: the first part of the film in an upright frame, with a branding and burned-in subtitles. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClipsJob, jobEnd, type Kinora, ProblemError } from '../../client/index.ts';
import { save } from './download.ts';
import type { ShownClip } from './watch-page.ts';

interface Wanted {
  readonly asset_id: string;
  readonly duration_ms: number;
  /** Language of the subtitles, where there are any. */
  readonly subtitles: { readonly language_id: string; readonly code: string; readonly name: string } | null;
  readonly folder: string;
}

/** As long as people watch on a telephone. */
const LENGTH_MS = 30_000;
const BRANDING = 'Kinora demo';

/**
 * Renders the first half minute and saves it.
 * @param seen called with each state of the job
 * @returns the clip, or why it failed
 */
export async function renderClip(
  kinora: Kinora,
  { asset_id, duration_ms, subtitles, folder }: Wanted,
  seen: (job: ClipsJob) => void,
): Promise<ShownClip | string> {
  try {
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
    const { video_clip_id } = data[0]!;
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
    const poster = `${name}.jpg`;
    if (thumbnail_url !== null) await save(thumbnail_url, join(folder, poster));
    const written = subtitles === null ? '' : `, ${subtitles.name} burned in`;
    return {
      media,
      poster: thumbnail_url === null ? null : poster,
      caption: `9:16, auto-framed${written}`,
    };
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
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
