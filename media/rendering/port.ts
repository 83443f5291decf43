/** The interface of a renderer: it makes an MP4 of media and a plan. */
import type { RangeSource } from '../../shared/media.ts';
import type { MediaTools } from '../ffmpeg/media-tools.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { Output, RenderPlan, RenderRequest, RenderSource } from './render-plan.ts';

export interface Rendering {
  /** Collects the facts about media that planning a clip needs. Throws a JobError if the media have no picture. */
  inspectSource(
    tools: MediaTools,
    media: OpenMedia,
    chosen: { readonly audio_track: number | null },
    signal?: AbortSignal,
  ): Promise<RenderSource>;
  /** Returns the size and rate of a clip in this aspect ratio. Null keeps the aspect ratio of the source. */
  outputOf(source: RenderSource, aspect: { readonly x: number; readonly y: number } | null): Output;
  planRender(request: RenderRequest): RenderPlan;
  /**
   * Returns everything that the chunk's bytes depend on, except the bytes of the files, as a text to hash. Equal texts
   * mean equal bytes.
   */
  chunkIdentity(plan: RenderPlan, at: number): string;
  soundIdentity(plan: RenderPlan): string;
  /** Renders one chunk that must be encoded: an MP4 without sound. Throws a JobError or the signal's reason. */
  renderChunk(plan: RenderPlan, at: number, io: RenderIo): Promise<RenderedPart>;
  /**
   * Renders the sound of the whole clip, with intro and outro, as an MP4 without pictures. Returns null if there is no
   * sound.
   */
  renderSound(plan: RenderPlan, io: RenderIo): Promise<RenderedPart | null>;
  /**
   * Joins the parts into the clip, with its index at the start. Copies packets from where the parts are stored, without
   * a disk.
   */
  joinClip(plan: RenderPlan, parts: ClipParts, signal?: AbortSignal): Promise<JoinedClip>;
}

/** The tools, files and callbacks of a step. */
export interface RenderIo {
  readonly tools: MediaTools;
  /** The open media of the plan's source, and the files that the plan names. They are read in ranges, never as a whole. */
  readonly source: OpenMedia;
  readonly overlay?: OpenMedia | undefined;
  readonly intro?: OpenMedia | undefined;
  readonly outro?: OpenMedia | undefined;
  /** The folder of the step, for temporary files. */
  readonly folder: string;
  /** Aborts the rendering program. */
  readonly signal?: AbortSignal | undefined;
  /** Receives how many frames of the chunk, or milliseconds of the sound, are done. */
  readonly reached?: ((done: number) => void) | undefined;
}

/** A rendered file in the folder of the step. The caller removes it. */
export interface RenderedPart {
  readonly path: string;
  readonly bytes: number;
}

/** The rendered parts in the order of the plan's chunks. For a copied chunk, the part is the media. */
export interface ClipParts {
  readonly chunks: readonly RangeSource[];
  readonly sound: RangeSource | null;
}

export interface JoinedClip {
  readonly media_type: 'video/mp4';
  readonly size_bytes: number;
  /** The bytes of the clip. Iterating reads the parts. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}
