/** What renders clips: from media and a plan to one MP4. */
import type { RangeSource } from '../../shared/media.ts';
import type { MediaTools } from '../ffmpeg/media-tools.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';
import type { Output, RenderPlan, RenderRequest, RenderSource } from './render-plan.ts';

export interface Rendering {
  /** What there is to know of media before a clip of them is planned. Throws a JobError where they have no picture. */
  lookAtSource(
    tools: MediaTools,
    media: OpenMedia,
    chosen: { readonly audio_track: number | null },
    signal?: AbortSignal,
  ): Promise<RenderSource>;
  /** The picture of a clip in that aspect ratio; null keeps that of the source. */
  outputOf(source: RenderSource, aspect: { readonly x: number; readonly y: number } | null): Output;
  planRender(request: RenderRequest): RenderPlan;
  /** What the chunk's bytes depend on, beside the bytes of the files: a text to hash. Equal texts, equal bytes. */
  chunkIdentity(plan: RenderPlan, at: number): string;
  soundIdentity(plan: RenderPlan): string;
  /** Renders one of the plan's chunks that are to be encoded: an MP4 with pictures alone. Throws a JobError or the signal's reason. */
  renderChunk(plan: RenderPlan, at: number, io: RenderIo): Promise<RenderedPart>;
  /** The sound of the whole clip, intro and outro included: an MP4 with sound alone; null where nothing of it has sound. */
  renderSound(plan: RenderPlan, io: RenderIo): Promise<RenderedPart | null>;
  /** The clip with its index in front. Packets are copied from where the parts lie; no disk is needed. */
  joinClip(plan: RenderPlan, parts: ClipParts, signal?: AbortSignal): Promise<JoinedClip>;
}

/** What a step works with. */
export interface RenderIo {
  readonly tools: MediaTools;
  /** The media of the plan's source, and the files that it names. They are read in ranges where they lie, never whole. */
  readonly source: OpenMedia;
  readonly overlay?: OpenMedia | undefined;
  readonly intro?: OpenMedia | undefined;
  readonly outro?: OpenMedia | undefined;
  /** Where files are written: a folder of the step's own. */
  readonly folder: string;
  /** Ends the program that renders. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how many frames of the chunk are done, or how many milliseconds of the sound. */
  readonly reached?: ((done: number) => void) | undefined;
}

/** A file in the folder; whoever gave the folder removes it. */
export interface RenderedPart {
  readonly path: string;
  readonly bytes: number;
}

/** What was rendered, wherever it was put: in the order of the plan's chunks; the media themselves for one that is copied. */
export interface ClipParts {
  readonly chunks: readonly RangeSource[];
  readonly sound: RangeSource | null;
}

export interface JoinedClip {
  readonly media_type: 'video/mp4';
  readonly size_bytes: number;
  /** Reads the parts as it is read. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}
