/** The inputs and outputs of rendering. */
import type { RangeSource } from '../../shared/media.ts';
import type { MediaTools } from '../ffmpeg/media-tools.ts';
import type { OpenMedia } from '../ffmpeg/serve-ranges.ts';

export interface RenderIo {
  readonly tools: MediaTools;
  /** The source of the plan. `overlay`, `intro` and `outro`: the other files of the plan. All are read in ranges. */
  readonly source: OpenMedia;
  readonly overlay?: OpenMedia | undefined;
  readonly intro?: OpenMedia | undefined;
  readonly outro?: OpenMedia | undefined;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress: the number of rendered frames of the chunk, or of milliseconds of the sound. */
  readonly reached?: ((done: number) => void) | undefined;
}

/** A rendered file in the folder of the step. The caller removes it. */
export interface RenderedPart {
  readonly path: string;
  readonly bytes: number;
}

/** The rendered parts in the order of the plan's chunks. For a copied chunk, the part is the source. */
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
