/** The plan of a rendered clip, as plain data. The plan is stored with its job. The same plan makes the same bytes. */
import type { Size } from '../../shared/boxes.ts';
import type { NormalForm } from '../ffmpeg/normalize-upload.ts';
import type { CropPath } from '../framing/crop-path.ts';

/** A frame rate as a fraction, as files state it: 30000/1001. */
export interface Rate {
  readonly num: number;
  readonly den: number;
}

/** Codes of H.273, by ffmpeg's names. */
export interface Colour {
  readonly primaries: string;
  readonly transfer: string;
  readonly matrix: string;
  readonly range: 'tv' | 'pc';
}

/** Facts about the media that a clip is cut from. The size is in pixels as displayed, after rotation. */
export interface RenderSource extends Size {
  readonly coded: Size;
  /** The clockwise rotation that a player applies, degrees. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** The average rate, which is the clip's constant rate. Frame `n` is shown at `n / frame_rate` s. */
  readonly frame_rate: Rate;
  /** The delay of frame `n` relative to `n / frame_rate` on the timeline of the media, at most 100,000 µs. */
  readonly phase_us: number;
  /** Number of frames, computed from duration and rate. */
  readonly frames: number;
  readonly container: string;
  readonly codec: string;
  readonly pixel_format: string;
  readonly colour: Colour;
  readonly is_interlaced: boolean;
  readonly is_constant: boolean;
  /** The frames at which a copy may begin or end (`findCleanFrames`). Null if nothing can be copied, and in a stored plan. */
  readonly clean_frames: readonly number[] | null;
  /** The number of the audio track that is used, from 1; null without sound. */
  readonly audio_track: number | null;
}

/** A file of a branding, normalized after its upload. */
export interface RenderedFile extends NormalForm {
  /** Object key in S3. Every upload has its own key. */
  readonly key: string;
}

/** Subtitles as `burnedSubtitles` lays them out for one size of picture. */
export interface BurnedSubtitles {
  /** Advanced SubStation Alpha (v4.00+); times from the start of the clip. */
  readonly document: string;
  /** Paths of the font files that the subtitles need. */
  readonly fonts: readonly string[];
}

export interface RenderNote {
  readonly code: 'font_substituted' | 'glyphs_missing' | 'tone_mapped' | 'frame_rate_made_constant';
  readonly detail: string;
}

/** `width` and `height` are even numbers of square pixels. */
export interface Output extends Size {
  readonly frame_rate: Rate;
  /** The color range is always limited. */
  readonly colour: Omit<Colour, 'range'>;
}

/** A chunk: frames of one file that are rendered separately. The chunks of a clip join without a seam. */
export interface Chunk {
  readonly part: 'intro' | 'clip' | 'outro';
  /** For `encode`, `renderChunk` encodes the chunk. For `copy`, `joinClip` copies its packets from the source. */
  readonly how: 'encode' | 'copy';
  /** Frames of the source, or of the branding's clip at the output rate. `end_frame` is exclusive. */
  readonly start_frame: number;
  readonly end_frame: number;
}

export interface RenderPlan {
  /** The version of this interface. A stored plan of another version is made again. */
  readonly form: 1;
  readonly source: RenderSource;
  /** The frames of the source. `end_frame` is exclusive. */
  readonly start_frame: number;
  readonly end_frame: number;
  readonly output: Output;
  /** The path of the crop. Null if the whole picture is shown. */
  readonly framing: CropPath | null;
  readonly subtitles: BurnedSubtitles | null;
  readonly overlay: RenderedFile | null;
  readonly intro: RenderedFile | null;
  readonly outro: RenderedFile | null;
  /** `programme`: the loudness of media/sound/broadcast-sound.ts. `kept`: the loudness of the media. */
  readonly loudness: 'programme' | 'kept';
  readonly chunks: readonly Chunk[];
  readonly frames: number;
  readonly duration_ms: number;
  readonly notes: readonly RenderNote[];
}

type Planned = 'chunks' | 'duration_ms' | 'form' | 'frames' | 'notes' | 'subtitles';

/** Without framing, the middle of the picture is cropped to the aspect ratio of the output. */
export interface RenderRequest extends Omit<RenderPlan, Planned> {
  readonly subtitles: (BurnedSubtitles & { readonly notes: readonly RenderNote[] }) | null;
}
