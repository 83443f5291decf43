/** Video clips: their span, look and status. */
import type { JobFailure, StoredAsset } from '../../../shared/assets.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { Inconsistent, InvalidState } from '../../../shared/problems.ts';

export interface VideoClip {
  readonly video_clip_id: string;
  readonly asset_id: AssetId;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly start_frame: number | null;
  /** The first frame after the clip. */
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
  /** The job that renders the clip, or rendered it last. */
  readonly job_id?: JobId | null;
  /** Jobs that are to render the clip and have not ended. */
  readonly pending?: ReadonlySet<JobId>;
  /** The job among them that is rendering. */
  readonly claim?: JobId;
  /** Progress of the rendering, 0 to 1. */
  readonly progress?: number;
  /** The file that callers get. */
  readonly render?: ClipRender | null;
}

/** A rendered file of a clip. */
export interface ClipRender {
  /** Part of its object keys: the same plan of the same media gives the same file. */
  readonly file: string;
  /** Hash of its materials. */
  readonly made_of: string;
  /** When its materials were read. */
  readonly planned_at: string;
  readonly rendered_at: string;
  readonly size_bytes: number;
  /** Pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number;
  readonly frame_count: number | null;
  /** Whether it has a poster. */
  readonly has_poster: boolean;
  readonly notes: readonly ClipNote[];
}

/** A deviation from the request. */
export interface ClipNote {
  readonly code: string;
  /** A sentence. */
  readonly detail: string;
}

export type ClipStatus = 'created' | 'rendering' | 'ready' | 'failed';

/** A clip whose last rendering failed offers no file, although an earlier one may exist. */
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
  if (status === 'ready') return clip.render!;
  const { video_clip_id, job_id, error } = clip;
  const cures = {
    created: `it was never rendered. Use ${by}`,
    rendering: `the job ${job_id} renders it. Wait for its end`,
    failed: `rendering failed (${error?.code}). Fix the cause, and use ${by}`,
  };
  throw new InvalidState(`The clip ${video_clip_id} is ${status}, not ready: ${cures[status]}.`);
}

export interface GivenClip {
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly start_frame?: number | undefined;
  readonly end_frame?: number | undefined;
  readonly aspect_ratio_x?: number | undefined;
  readonly aspect_ratio_y?: number | undefined;
  readonly autoframing: boolean;
  readonly branding_id?: string | undefined;
  readonly subtitles_language_id?: string | undefined;
  readonly with_sound_descriptions: boolean;
}

/** The highest ratio of the longer side to the shorter. Beyond it, players show only a line. */
const MAX_RATIO = 10;

/** The facts of a ready asset that clips need. */
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
    'The asset has no picture, which a video clip needs. Upload a video to another asset.',
  );
}

/** Makes clips from the request. Throws validation_failed with all faults. */
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

/** The last frame may end after the media, by less than its own duration. */
function spanOf(clip: GivenClip, { duration_ms, frame_rate }: ClippedMedia) {
  const timeOf = (frame: number) => Math.round((frame * 1000) / (frame_rate ?? 1));
  const start = clip.start_ms ?? (clip.start_frame === undefined ? 0 : timeOf(clip.start_frame));
  const end = clip.end_ms ?? (clip.end_frame === undefined ? duration_ms! : timeOf(clip.end_frame));
  const isWithinLastFrame = clip.end_frame !== undefined && end - duration_ms! < 1000 / (frame_rate ?? 1);
  return { start_ms: start, end_ms: isWithinLastFrame ? Math.min(end, duration_ms!) : end };
}

function faultsOf(clip: GivenClip, media: ClippedMedia, pointer: string): Fault[] {
  const inFrames = clip.start_frame !== undefined || clip.end_frame !== undefined;
  const inTime = clip.start_ms !== undefined || clip.end_ms !== undefined;
  const fault = (member: string, code: string, detail: string) => ({
    pointer: `${pointer}/${member}`,
    code,
    detail,
  });
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
  if (end_ms > media.duration_ms!) {
    const frame = Math.ceil((media.duration_ms! * (media.frame_rate ?? 0)) / 1000);
    const where = inFrames ? `: end_frame is at most ${frame}` : '';
    faults.push(fault(endsIn, 'too_large', `The media ends at ${media.duration_ms} ms${where}.`));
  } else if (start_ms >= end_ms) {
    faults.push(
      fault(
        startsIn,
        'too_large',
        `The clip must end after its start (${start_ms} ms); it ends at ${end_ms} ms.`,
      ),
    );
  }
  return faults;
}
