/** Spans of the picture that are analyzed in parallel, and the intervals at which pictures are sampled. */
import type { Asset } from '../../../shared/assets.ts';

export interface PictureSpan {
  readonly index: number;
  readonly start_ms: number;
  /** The end. The last span also includes any later frames. */
  readonly end_ms: number;
  readonly is_last: boolean;
  /** Interval of the pictures for face detection and OCR. */
  readonly sample_ms: number;
  /** Interval of the pictures in the storyboard, a multiple of `sample_ms`. */
  readonly tile_ms: number;
  /** Whether decoding skips frames that no other frame refers to. */
  readonly is_sparse: boolean;
}

/** The maximum number of pixels of a span: two minutes of 1080p at 30 frames/s. Two processors need five minutes. */
const SPAN_PIXELS = 120 * 30 * 1920 * 1080;
const MOST_MS = 120_000;
const LEAST_MS = 15_000;
/** The history of an execution can have 25,000 events. A span adds 9, and 3 more for each retry. */
export const MOST_SPANS = 700;
const USUAL_RATE = 30;
const models = {
  normal: { sample_ms: 1000, is_sparse: false },
  turbo: { sample_ms: 3000, is_sparse: true },
} as const;
/** The maximum number of pictures of a storyboard. They fill three sheets. */
const MOST_TILES = 300;

/** Consecutive spans that cover the whole duration. Each has at most the pixels that one step can analyze. */
export function planSpans(
  { width, height, frame_rate, mc_model }: Pick<Asset, 'width' | 'height' | 'frame_rate' | 'mc_model'>,
  duration_ms: number,
): PictureSpan[] {
  const rate = (width ?? 0) * (height ?? 0) * Math.max(frame_rate ?? 0, USUAL_RATE);
  const affordable = rate > 0 ? (1000 * SPAN_PIXELS) / rate : MOST_MS;
  const length = Math.ceil(
    Math.max(Math.min(MOST_MS, Math.max(LEAST_MS, affordable)), duration_ms / MOST_SPANS),
  );
  const count = Math.max(1, Math.ceil(duration_ms / length));
  const { sample_ms, is_sparse } = models[mc_model];
  const tile_ms = sample_ms * Math.max(1, Math.ceil(duration_ms / MOST_TILES / sample_ms));
  return Array.from({ length: count }, (_, index) => ({
    index,
    start_ms: index * length,
    end_ms: index === count - 1 ? Math.max(duration_ms, index * length + 1) : (index + 1) * length,
    is_last: index === count - 1,
    sample_ms,
    tile_ms,
    is_sparse,
  }));
}

export const isWithin = ({ index, start_ms, end_ms, is_last }: PictureSpan, at_ms: number): boolean =>
  (index === 0 || at_ms >= start_ms) && (is_last || at_ms < end_ms);
