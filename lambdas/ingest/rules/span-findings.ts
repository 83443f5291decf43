/** Findings of a span of the picture, and how the shots of spans are joined. */
import type { SeenFace } from '../../../engines/faces/port.ts';
import type { SeenText } from '../../../engines/ocr/port.ts';
import type { Boundary } from '../../../engines/shots/port.ts';
import type { MotionSample } from '../../../media/framing/subject-motion.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { lastOf } from '../../../shared/checked-access.ts';
import type { CameraShot } from '../../analyses/rules/analysis-types.ts';

/** Range of bytes among the span's stored JPEGs; the end is exclusive. */
export interface StoredBytes {
  readonly from: number;
  readonly to: number;
}

export interface CroppedFace extends SeenFace {
  /** The cropped picture of the face; absent if a better one of the same face is stored. */
  readonly crop?: StoredBytes;
}

export interface AnalyzedPicture {
  readonly at_ms: number;
  readonly width: number;
  readonly height: number;
  /** `mean` and `spread` are the mean and the standard deviation of the pixels' luma (Y), 16 (black) to 235. */
  readonly mean: number;
  readonly spread: number;
  /** The picture; null if the storyboard does not need it. */
  readonly jpeg: StoredBytes | null;
  readonly faces: readonly CroppedFace[];
  readonly texts: readonly SeenText[];
}

export interface SeenBoundary extends Boundary {
  readonly at_ms: number;
}

export interface SpanFindings {
  readonly frames: number;
  /** The cuts and transitions. Their frame numbers count from the first frame of the span. */
  readonly boundaries: readonly SeenBoundary[];
  readonly motion: readonly MotionSample[];
  readonly pictures: readonly AnalyzedPicture[];
  /** The failure of each engine that failed. */
  readonly failures: { readonly faces?: JobFailure; readonly ocr?: JobFailure };
}

/** Boundaries within this distance are one: two neighboring spans can find the same boundary a few frames apart. */
const SAME_MS = 250;

/** The shots of all spans, in order and without gaps. Shots have frame numbers only if all frames were decoded (`isCounted`). */
export function joinShots(
  spans: readonly SpanFindings[],
  duration_ms: number,
  isCounted: boolean,
): CameraShot[] {
  let before = 0;
  const all = spans.flatMap(({ frames, boundaries }) => {
    const first = before;
    before += frames;
    return boundaries.map((boundary) => ({ ...boundary, frame: first + boundary.frame }));
  });
  const starts: (Omit<SeenBoundary, 'transition' | 'confidence'> &
    Pick<CameraShot, 'transition' | 'confidence'>)[] = [
    { frame: 0, at_ms: 0, transition: 'start', confidence: null },
  ];
  for (const boundary of all) {
    const isSame = starts.length > 1 && boundary.at_ms - lastOf(starts).at_ms < SAME_MS;
    if (boundary.frame > 0 && !isSame) starts.push(boundary);
  }
  return starts.map(({ frame, at_ms, transition, confidence }, at) => ({
    start_ms: at_ms,
    end_ms: Math.max(at_ms + 1, starts[at + 1]?.at_ms ?? duration_ms),
    start_frame: isCounted ? frame : null,
    end_frame: isCounted ? (starts[at + 1]?.frame ?? before) : null,
    transition,
    confidence: confidence === null ? null : Math.round(confidence * 100) / 100,
  }));
}
