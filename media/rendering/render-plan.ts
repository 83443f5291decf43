/** What a rendered clip is made of, as plain data: a plan is kept as a document of its job, and the same plan gives the same bytes. */

/** A fraction, as files state their rates: 30000/1001. */
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

/** What rendering has to know of the media that a clip is cut from; `lookAtSource` finds it out. */
export interface RenderSource {
  /** Pixels as displayed: rotation and sample aspect ratio are applied. */
  readonly width: number;
  readonly height: number;
  /** Pixels as coded. */
  readonly coded: { readonly width: number; readonly height: number };
  /** Clockwise degrees that a player turns the picture by. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** The average, which the clip has as its constant rate. Frame `n` is the one shown at `n / frame_rate` s. */
  readonly frame_rate: Rate;
  /** How much later than `n / frame_rate` frame `n` begins on the timeline of the media: a tenth of a second at most, microseconds. */
  readonly phase_us: number;
  /** Frames of the picture, by its duration and rate. */
  readonly frames: number;
  readonly container: string;
  readonly codec: string;
  readonly pixel_format: string;
  readonly colour: Colour;
  readonly is_interlaced: boolean;
  /** Whether its frames come at a constant rate, as far as the file tells. */
  readonly is_constant: boolean;
  /**
   * Frames at which a copy may begin or end, the last one being the end of the video: closed groups of pictures of H.264 that any
   * player plays. Null where nothing can be copied; a plan that copies nothing does not keep them.
   */
  readonly clean_frames: readonly number[] | null;
  /** Of the track that is heard, by its number among those of sound, from 1; null where there is none. */
  readonly audio_track: number | null;
}

/** A file of a branding as its upload made it: upright, square pixels, constant rate. */
export interface RenderedFile {
  /** Of the object. Another upload of the file has another. */
  readonly key: string;
  readonly media_type: 'image/png' | 'video/mp4' | 'video/webm';
  readonly width: number;
  readonly height: number;
  /** Null for a picture, as is the frame rate. */
  readonly duration_ms: number | null;
  readonly frame_rate: Rate | null;
  readonly has_audio: boolean;
}

/** Where the picture is cut out of the source, in its pixels as displayed (media/framing/crop-path.ts has the same). */
export interface CropPath {
  /** Even, the same throughout. */
  readonly width: number;
  readonly height: number;
  readonly points: readonly {
    /** From the start of the clip. */
    readonly at_ms: number;
    /** Upper left corner; may lie between two pixels. */
    readonly x: number;
    readonly y: number;
    /** A new shot begins: nothing lies between the point before and this one. */
    readonly jump: boolean;
  }[];
}

/** Subtitles as `burnedSubtitles` lays them out for one size of picture. */
export interface BurnedSubtitles {
  /** Advanced SubStation Alpha (v4.00+); times from the start of the clip. */
  readonly document: string;
  /** Font files that it needs, paths. */
  readonly fonts: readonly string[];
}

/** What somebody should hear about the clip although it was rendered. */
export interface RenderNote {
  readonly code: 'font_substituted' | 'glyphs_missing' | 'tone_mapped' | 'frame_rate_made_constant';
  /** One English sentence. */
  readonly detail: string;
}

export interface Output {
  /** Even pixels, square. */
  readonly width: number;
  readonly height: number;
  readonly frame_rate: Rate;
  /** Always of the small range. */
  readonly colour: Omit<Colour, 'range'>;
}

/** The frames of one file that is rendered by itself; chunks of a clip follow each other without a seam. */
export interface Chunk {
  readonly part: 'intro' | 'clip' | 'outro';
  /** `encode` is what `renderChunk` does; of `copy`, `joinClip` takes the packets from the source as they are. */
  readonly how: 'encode' | 'copy';
  /** Of the source, or of the branding's clip, in frames of the output; `end_frame` is the first one after. */
  readonly start_frame: number;
  readonly end_frame: number;
}

export interface RenderPlan {
  /** Of this form, so that a stored plan of another is made anew. */
  readonly form: 1;
  readonly source: RenderSource;
  /** Of the source; `end_frame` is the first one after. */
  readonly start_frame: number;
  readonly end_frame: number;
  readonly output: Output;
  /** Null where all of the picture is shown. */
  readonly framing: CropPath | null;
  readonly subtitles: BurnedSubtitles | null;
  readonly overlay: RenderedFile | null;
  readonly intro: RenderedFile | null;
  readonly outro: RenderedFile | null;
  /** `programme`: as loud as media/sound/broadcast-sound.ts has it; `kept`: as loud as the media are. */
  readonly loudness: 'programme' | 'kept';
  /** In the order of time. Each is rendered by `renderChunk`, side by side. */
  readonly chunks: readonly Chunk[];
  /** Frames of all chunks, and the milliseconds that they last. */
  readonly frames: number;
  readonly duration_ms: number;
  readonly notes: readonly RenderNote[];
}

export interface RenderRequest {
  readonly source: RenderSource;
  readonly start_frame: number;
  readonly end_frame: number;
  /** As `outputOf` has it. */
  readonly output: Output;
  /** Null cuts from the middle what the output's aspect asks for. */
  readonly framing: CropPath | null;
  readonly subtitles: (BurnedSubtitles & { readonly notes: readonly RenderNote[] }) | null;
  readonly overlay: RenderedFile | null;
  readonly intro: RenderedFile | null;
  readonly outro: RenderedFile | null;
  readonly loudness: 'programme' | 'kept';
}
