/** The plan of a rendered clip, as plain data. It is stored with its job. The same plan makes the same bytes. */

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

/** Facts about the media that a clip is cut from. `inspectSource` finds them. */
export interface RenderSource {
  /** Width and height as displayed, in pixels: rotation and sample aspect ratio are applied. */
  readonly width: number;
  readonly height: number;
  /** Width and height as coded, in pixels. */
  readonly coded: { readonly width: number; readonly height: number };
  /** The clockwise rotation that a player applies, degrees. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** The average rate, which is the clip's constant rate. Frame `n` is shown at `n / frame_rate` s. */
  readonly frame_rate: Rate;
  /**
   * The delay of frame `n` relative to `n / frame_rate` on the timeline of the media, microseconds. At most a tenth of
   * a second.
   */
  readonly phase_us: number;
  /** Number of frames, computed from duration and rate. */
  readonly frames: number;
  readonly container: string;
  readonly codec: string;
  readonly pixel_format: string;
  readonly colour: Colour;
  readonly is_interlaced: boolean;
  /** Whether the file states a constant rate. */
  readonly is_constant: boolean;
  /**
   * Frames at which a copy may begin or end: the first frames of closed groups of pictures in H.264 that any player plays, and the end
   * of the video. Null if nothing can be copied. A stored plan does not keep them.
   */
  readonly clean_frames: readonly number[] | null;
  /** The number of the audio track that is used, from 1; null without sound. */
  readonly audio_track: number | null;
}

/** A file of a branding, normalized after its upload: upright, square pixels, constant rate. */
export interface RenderedFile {
  /** Object key in S3. Every upload has its own key. */
  readonly key: string;
  readonly media_type: 'image/png' | 'video/mp4' | 'video/webm';
  readonly width: number;
  readonly height: number;
  /** Null for a picture. The frame rate is null for a picture, too. */
  readonly duration_ms: number | null;
  readonly frame_rate: Rate | null;
  readonly has_audio: boolean;
}

/** The path of the crop, in pixels of the source as displayed (the same shape as in media/framing/crop-path.ts). */
export interface CropPath {
  /** Width and height of the crop: even, and constant over the clip. */
  readonly width: number;
  readonly height: number;
  readonly points: readonly {
    /** Milliseconds from the start of the clip. */
    readonly at_ms: number;
    /** Upper left corner, with fractions of a pixel. */
    readonly x: number;
    readonly y: number;
    /** Whether a new shot begins: the crop jumps here from the previous point. */
    readonly jump: boolean;
  }[];
}

/** Subtitles as `burnedSubtitles` lays them out for one size of picture. */
export interface BurnedSubtitles {
  /** Advanced SubStation Alpha (v4.00+); times from the start of the clip. */
  readonly document: string;
  /** Paths of the font files that the subtitles need. */
  readonly fonts: readonly string[];
}

/** A remark about a rendered clip for its user. */
export interface RenderNote {
  readonly code: 'font_substituted' | 'glyphs_missing' | 'tone_mapped' | 'frame_rate_made_constant';
  /** The text of the remark: one English sentence. */
  readonly detail: string;
}

export interface Output {
  /** Even numbers of square pixels. */
  readonly width: number;
  readonly height: number;
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
  /** Version of this shape. A stored plan of another version is made again. */
  readonly form: 1;
  readonly source: RenderSource;
  /** The first frame of the source, and the frame after the last. */
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
  /** Chunks in the order of time. They are rendered in parallel. */
  readonly chunks: readonly Chunk[];
  /** The number of frames of all chunks, and their duration. */
  readonly frames: number;
  readonly duration_ms: number;
  readonly notes: readonly RenderNote[];
}

export interface RenderRequest {
  readonly source: RenderSource;
  readonly start_frame: number;
  readonly end_frame: number;
  /** The result of `outputOf`. */
  readonly output: Output;
  /** The path of the crop. Null crops the middle of the picture to the aspect ratio of the output. */
  readonly framing: CropPath | null;
  readonly subtitles: (BurnedSubtitles & { readonly notes: readonly RenderNote[] }) | null;
  readonly overlay: RenderedFile | null;
  readonly intro: RenderedFile | null;
  readonly outro: RenderedFile | null;
  readonly loudness: 'programme' | 'kept';
}
