/** The plan of a rendered clip, as plain data. It is stored with its job. Equal plans produce equal bytes. */
import type { Size } from '../../shared/boxes.ts';
import type { NormalForm } from '../ffmpeg/normalize-upload.ts';
import type { CropPath } from '../framing/crop-path.ts';

/** A frame rate as a fraction, as files state it: 30000/1001. */
export interface Rate {
  readonly num: number;
  readonly den: number;
}

/** Codes of H.273, as ffmpeg names them. */
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
  /** The average rate of the media, which is the constant rate of the clip. Frame `n` is shown at `n / frame_rate` s. */
  readonly frame_rate: Rate;
  /** The delay of frame `n` relative to `n / frame_rate` on the timeline of the media, µs. At most 100,000. */
  readonly phase_us: number;
  /** The number of frames, computed from duration and rate. */
  readonly frames: number;
  readonly container: string;
  readonly codec: string;
  readonly pixel_format: string;
  readonly colour: Colour;
  readonly is_interlaced: boolean;
  readonly is_constant: boolean;
  /** The frames at which a copy may begin or end (`findCleanFrames`). Null if no copy is possible. Always null in a stored plan. */
  readonly clean_frames: readonly number[] | null;
  /** The number of the used audio track, from 1. Null if there is no sound. */
  readonly audio_track: number | null;
}

export interface RenderedFile extends NormalForm {
  /** The object key in S3. Each upload has a separate key. */
  readonly key: string;
}

/** Subtitles with the layout of `burnedSubtitles`, for one size of the picture. */
export interface BurnedSubtitles {
  /** The document in Advanced SubStation Alpha (v4.00+). Its times are relative to the start of the clip. */
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
  /** `encode`: `renderChunk` encodes the chunk. `copy`: `joinClip` copies the packets of the chunk from the source. */
  readonly how: 'encode' | 'copy';
  /** Frames of the source, or of the intro or outro at the rate of the output. `end_frame` is exclusive. */
  readonly start_frame: number;
  readonly end_frame: number;
}

export interface RenderPlan {
  /** The version of this interface. If a stored plan has another version, a new plan is made. */
  readonly form: 1;
  readonly source: RenderSource;
  /** The frames of the source. `end_frame` is exclusive. */
  readonly start_frame: number;
  readonly end_frame: number;
  readonly output: Output;
  /** The path of the crop. Null if the clip shows the whole picture. */
  readonly framing: CropPath | null;
  readonly subtitles: BurnedSubtitles | null;
  readonly overlay: RenderedFile | null;
  readonly intro: RenderedFile | null;
  readonly outro: RenderedFile | null;
  /** `programme`: changed to the loudness of media/sound/broadcast-sound.ts. `kept`: the loudness of the media. */
  readonly loudness: 'programme' | 'kept';
  readonly chunks: readonly Chunk[];
  readonly frames: number;
  readonly duration_ms: number;
  readonly notes: readonly RenderNote[];
}

type Planned = 'chunks' | 'duration_ms' | 'form' | 'frames' | 'notes' | 'subtitles';

/** If `framing` is null, the middle of the picture is cropped to the aspect ratio of the output. */
export interface RenderRequest extends Omit<RenderPlan, Planned> {
  readonly subtitles: (BurnedSubtitles & { readonly notes: readonly RenderNote[] }) | null;
}
