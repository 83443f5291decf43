/** Video clips: their span, look and status. */
import type { Static } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/clips.ts';
import type { JobFailure, StoredAsset } from '../../../shared/assets.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { Inconsistent, InvalidState } from '../../../shared/problems.ts';

export interface VideoClip {
  readonly video_clip_id: string;
  readonly asset_id: AssetId;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly start_frame: number | null;
  readonly end_frame: number | null;
  readonly aspect_ratio_x: number | null;
  readonly aspect_ratio_y: number | null;
  readonly autoframing: boolean;
  readonly branding_id: string | null;
  readonly subtitles_language_id: string | null;
  readonly with_sound_descriptions: boolean;
  /** Error of the last rendering; null if it succeeded. */
  readonly error: JobFailure | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  /** The newest job that renders or rendered the clip. */
  readonly job_id?: JobId | null;
  readonly pending?: ReadonlySet<JobId>;
  /** The pending job that renders the clip now. Other pending jobs wait. */
  readonly claim?: JobId;
  /** Progress of the rendering, 0 to 1. */
  readonly progress?: number;
  readonly render?: ClipRender | null;
}

export interface ClipRender {
  /** The id of the file, a part of its object keys. The same plan of the same media gives the same id. */
  readonly file: string;
  /** Hash of the materials from which the file was rendered. */
  readonly made_of: string;
  readonly planned_at: string;
  readonly rendered_at: string;
  readonly size_bytes: number;
  /** Width and height in pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number;
  readonly frame_count: number | null;
  readonly has_poster: boolean;
  readonly notes: readonly ClipNote[];
}

/** Reports that a file differs from the request, for example if a requested material did not exist. */
export interface ClipNote {
  readonly code: string;
  readonly detail: string;
}

export type ClipStatus = 'created' | 'rendering' | 'ready' | 'failed';

/** The status of a clip. It is `failed` if the last rendering failed, even if an earlier file exists. */
export function statusOf({ pending, error, render }: VideoClip): ClipStatus {
  if ((pending?.size ?? 0) > 0) return 'rendering';
  if (error !== null) return 'failed';
  return render ? 'ready' : 'created';
}

/** Returns the file of a ready clip. Throws invalid_state otherwise, and says what to do. */
export function requireRendered(
  clip: VideoClip,
  by: 'download_async' | 'async_export' = 'download_async',
): ClipRender {
  const status = statusOf(clip);
  if (status === 'ready') return defined(clip.render);
  const { video_clip_id, job_id, error } = clip;
  const cures = {
    created: `it was never rendered. Use ${by}`,
    rendering: `the job ${job_id} renders it. Wait for its end`,
    failed: `rendering failed (${error?.code}). Fix the cause, and use ${by}`,
  };
  throw new InvalidState(`The clip ${video_clip_id} is ${status}, not ready: ${cures[status]}.`);
}

export type GivenClip = Frozen<Static<typeof contract.createVideoClips.body>>['video_clips'][number];

/** The highest ratio of the longer side to the shorter side. With a higher ratio, players show only a line. */
const MAX_RATIO = 10;

export type ClippedMedia = Pick<StoredAsset, 'asset_id' | 'duration_ms' | 'frame_rate'>;

export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Returns the asset if it has a picture. Throws invalid_state otherwise. */
export function requirePicture(asset: StoredAsset): StoredAsset {
  if (asset.width !== null) return asset;
  throw new InvalidState(
    'The asset has only sound, and a video clip needs a picture. Create another asset, and upload a video to it.',
  );
}

/** Makes clips from the request. Throws validation_failed with one finding for each fault. */
export function newClips(
  given: readonly GivenClip[],
  media: ClippedMedia,
  now: Date,
  idOf: (at: number) => string,
): VideoClip[] {
  const faults = given.flatMap((clip, at) => faultsOf(clip, media, `/video_clips/${at}`));
  if (faults.length > 0) throw new Inconsistent(faults);
  return given.map((clip, at) => newClip(clip, media, now, idOf(at)));
}

function newClip(clip: GivenClip, media: ClippedMedia, now: Date, video_clip_id: string): VideoClip {
  const created_at = now.toISOString();
  return {
    video_clip_id,
    asset_id: media.asset_id,
    ...spanOf(clip, media),
    start_frame: clip.start_frame ?? null,
    end_frame: clip.end_frame ?? null,
    aspect_ratio_x: clip.aspect_ratio_x ?? null,
    aspect_ratio_y: clip.aspect_ratio_y ?? null,
    autoframing: clip.autoframing,
    branding_id: clip.branding_id ?? null,
    subtitles_language_id: clip.subtitles_language_id ?? null,
    with_sound_descriptions: clip.with_sound_descriptions,
    error: null,
    created_at,
    updated_at: created_at,
    version: 1,
  };
}

function spanOf(clip: GivenClip, { duration_ms, frame_rate }: ClippedMedia) {
  const timeOf = (frame: number) => Math.round((frame * 1000) / (frame_rate ?? 1));
  const start = clip.start_ms ?? (clip.start_frame === undefined ? 0 : timeOf(clip.start_frame));
  const end = clip.end_ms ?? (clip.end_frame === undefined ? defined(duration_ms) : timeOf(clip.end_frame));
  const isWithinLastFrame =
    clip.end_frame !== undefined && end - defined(duration_ms) < 1000 / (frame_rate ?? 1);
  return { start_ms: start, end_ms: isWithinLastFrame ? Math.min(end, defined(duration_ms)) : end };
}

function faultsOf(clip: GivenClip, media: ClippedMedia, pointer: string): Fault[] {
  const inFrames = clip.start_frame !== undefined || clip.end_frame !== undefined;
  const inTime = clip.start_ms !== undefined || clip.end_ms !== undefined;
  const fault = (member: string, code: string, detail: string) => {
    return { pointer: `${pointer}/${member}`, code, detail };
  };
  const faults: Fault[] = [];
  if ((clip.aspect_ratio_x === undefined) !== (clip.aspect_ratio_y === undefined)) {
    const absent = clip.aspect_ratio_x === undefined ? 'aspect_ratio_x' : 'aspect_ratio_y';
    faults.push(fault(absent, 'required', 'aspect_ratio_x and aspect_ratio_y go together.'));
  }
  const { aspect_ratio_x: x = 1, aspect_ratio_y: y = x } = clip;
  if (Math.max(x / y, y / x) > MAX_RATIO) {
    const detail = `The aspect ratio must lie between 1:${MAX_RATIO} and ${MAX_RATIO}:1.`;
    faults.push(fault('aspect_ratio_x', 'too_large', detail));
  }
  const startsIn = inFrames ? 'start_frame' : 'start_ms';
  const endsIn = inFrames ? 'end_frame' : 'end_ms';
  if (inFrames && inTime) {
    return [...faults, fault(startsIn, 'conflicting', 'Give times or frames, not both.')];
  }
  if (inFrames && media.frame_rate === null) {
    return [...faults, fault(startsIn, 'not_allowed', 'The media has no frame rate. Give times.')];
  }
  const { start_ms, end_ms } = spanOf(clip, media);
  if (end_ms > defined(media.duration_ms)) {
    const frame = Math.ceil((defined(media.duration_ms) * (media.frame_rate ?? 0)) / 1000);
    const where = inFrames ? `: end_frame is at most ${frame}` : '';
    faults.push(fault(endsIn, 'too_large', `The media ends at ${media.duration_ms} ms${where}.`));
  } else if (start_ms >= end_ms) {
    const detail = `The clip must end after its start (${start_ms} ms); it ends at ${end_ms} ms.`;
    faults.push(fault(startsIn, 'too_large', detail));
  }
  return faults;
}
