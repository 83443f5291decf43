/** Video clips: where each begins and ends, and what it is made to look like. */
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
  /** Why it was not rendered the last time; null where it was. */
  readonly error: JobFailure | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  /** The job that renders it, or did so last. */
  readonly job_id?: JobId | null;
  /** Jobs that are to render it and have not ended. */
  readonly pending?: ReadonlySet<JobId>;
  /** The one of them that is rendering. */
  readonly claim?: JobId;
  /** Of the job that is rendering, 0 to 1. */
  readonly progress?: number;
  /** The file that callers get. */
  readonly render?: ClipRender | null;
}

/** A file that was made of a clip. */
export interface ClipRender {
  /** Names its objects: the same plan of the same media is the same file. */
  readonly file: string;
  /** What it is made of, in a few characters: others where something of it changed. */
  readonly made_of: string;
  /** When what it is made of was read. */
  readonly planned_at: string;
  readonly rendered_at: string;
  readonly size_bytes: number;
  /** Pixels; null where they are not known. */
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number;
  readonly frame_count: number | null;
  /** Whether there is a picture of it. */
  readonly has_poster: boolean;
  readonly notes: readonly ClipNote[];
}

/** What was asked for and done otherwise, or not. */
export interface ClipNote {
  readonly code: string;
  /** A sentence. */
  readonly detail: string;
}

export type ClipStatus = 'created' | 'rendering' | 'ready' | 'failed';

/** A clip whose last attempt failed has no file to give, although an earlier one may be there. */
export function statusOf({ pending, error, render }: VideoClip): ClipStatus {
  if ((pending?.size ?? 0) > 0) return 'rendering';
  if (error !== null) return 'failed';
  return render ? 'ready' : 'created';
}

/** The file of a clip that is ready; throws invalid_state with the cure for another. */
export function requireRendered(
  clip: VideoClip,
  by: 'download_async' | 'async_export' = 'download_async',
): ClipRender {
  const status = statusOf(clip);
  if (status === 'ready') return clip.render!;
  const { video_clip_id, job_id, error } = clip;
  const cures = {
    created: `nobody asked for it yet: use ${by}`,
    rendering: `the job ${job_id} renders it: wait until that has ended`,
    failed: `rendering it failed (${error?.code}): mend that, and use ${by}`,
  };
  throw new InvalidState(`The clip ${video_clip_id} is ${status}, not ready; ${cures[status]}.`);
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

/** The highest ratio of the longer side to the shorter: beyond it no player shows more than a line. */
const MAX_RATIO = 10;

/** What is known of a ready asset. */
export type ClippedMedia = Pick<StoredAsset, 'asset_id' | 'duration_ms' | 'frame_rate'>;

export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The asset, if clips can be cut from it; throws invalid_state where there is nothing to see. */
export function requirePicture(asset: StoredAsset): StoredAsset {
  if (asset.width !== null) return asset;
  throw new InvalidState(
    'The asset is sound alone: a video clip needs a picture. Upload the video to another asset.',
  );
}

/** The clips as they are kept; throws validation_failed naming all that does not fit together. */
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

/** The last frame may end a little after the media does, by its own length. */
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
    return [...faults, fault(startsIn, 'not_allowed', 'The media has no frame rate; give times.')];
  }
  const { start_ms, end_ms } = spanOf(clip, media);
  if (end_ms > media.duration_ms!) {
    const frame = Math.ceil((media.duration_ms! * (media.frame_rate ?? 0)) / 1000);
    const where = inFrames ? `: end_frame is at most ${frame}` : '';
    faults.push(fault(endsIn, 'too_large', `The media ends at ${media.duration_ms} ms${where}.`));
  } else if (start_ms >= end_ms) {
    faults.push(
      fault(startsIn, 'too_large', `The clip would begin at ${start_ms} ms and end at ${end_ms} ms.`),
    );
  }
  return faults;
}
