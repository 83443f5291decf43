/** The inputs and outputs of rendering. */
import type { RangeSource } from '../../shared/media.ts';
import type { MediaTools, OpenMedia } from '../ffmpeg/serve-ranges.ts';

export interface RenderIo {
  readonly tools: MediaTools;
  /** The source of the plan. `overlay`, `intro` and `outro` are the other files of the plan. All files are read in ranges. */
  readonly source: OpenMedia;
  readonly overlay?: OpenMedia | undefined;
  readonly intro?: OpenMedia | undefined;
  readonly outro?: OpenMedia | undefined;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress: the rendered frames of the chunk, or the rendered milliseconds of the sound. */
  readonly reached?: ((done: number) => void) | undefined;
}

/** A rendered file in the folder of the step. The caller removes it. */
export interface RenderedPart {
  readonly path: string;
  readonly bytes: number;
}

export interface ClipParts {
  readonly chunks: readonly RangeSource[];
  readonly sound: RangeSource | null;
}

export interface JoinedClip {
  readonly media_type: 'video/mp4';
  readonly size_bytes: number;
  /** The bytes of the clip. The parts are read while the caller iterates. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}
