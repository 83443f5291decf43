/** Analyzes the pictures of a span. Decodes each picture only once for all analyses. */
import { difference } from '../../../engines/shots/compare-frames.ts';
import type { Shots } from '../../../engines/shots/port.ts';
import type { OpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { type MotionSample, measureMotion } from '../../../media/framing/subject-motion.ts';
import { decodePictures, type Frame } from '../../../media/pictures/decode-pictures.ts';
import type { GreyPicture, Picture } from '../../../media/pictures/picture.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { mediaLimitExceeded } from '../../../shared/job-errors.ts';
import { isWithin, type PictureSpan } from '../rules/picture-spans.ts';
import type { SpanFindings, StoredBytes } from '../rules/span-findings.ts';
import { type Recognition, type RecognizedPictures, recognizePictures } from './recognize-pictures.ts';

export interface Look
  extends Pick<Recognition, 'tools' | 'faces' | 'ocr' | 'languages' | 'signal' | 'again_ms' | 'reached'> {
  readonly media: OpenMedia;
  readonly shots: Shots;
  readonly span: PictureSpan;
  /** Displayed width and height in pixels. */
  readonly width: number;
  readonly height: number;
  readonly timeout_ms: number;
}

/** Pictures in this time before and after a span are decoded too, because they help to find transitions. */
const AROUND_MS = 3000;
/** The maximum number of frames: two minutes at 240 frames/s. Only a file with a wrong duration has more in a span. */
const MOST_FRAMES = 30_000;
/** The maximum number of samples: those of ten minutes. Each is a JPEG in memory, and its OCR takes a second. */
const MOST_SAMPLES = 600;
/** The progress after decoding. */
const DECODED = 0.5;
/** Two pictures show the same if the mean difference of their pixels, 0 to 255, is lower than this. */
const STILL = 0.5;

/** Throws a JobError, or the signal's reason. */
export async function analyzeSpan(
  look: Look,
): Promise<{ seen: SpanFindings; jpegs: Buffer[]; asked: RecognizedPictures['asked'] }> {
  const { span } = look;
  const frames: Frame[] = [];
  const motion: MotionSample[] = [];
  const samples: Picture[] = [];
  let grey: GreyPicture | null = null;
  for await (const sight of sights(look)) {
    if (sight.kind === 'frame') {
      frames.push(sight.frame);
      if (frames.length > MOST_FRAMES) throw tooManyFrames();
      look.reached((DECODED * (sight.frame.at_ms - span.start_ms)) / (span.end_ms - span.start_ms));
    } else if (sight.kind === 'grey') {
      const { picture } = sight;
      if (grey !== null && isWithin(span, picture.at_ms)) motion.push(measureMotion(grey, picture));
      grey = picture;
    } else if (isWithin(span, sight.picture.at_ms)) samples.push(sight.picture);
    if (samples.length > MOST_SAMPLES) throw tooManyFrames();
  }
  const first = frames.findIndex(({ at_ms }) => isWithin(span, at_ms));
  const own = frames.filter(({ at_ms }) => isWithin(span, at_ms)).length;
  const boundaries = look.shots
    .boundaries(frames)
    .filter(({ frame }) => frame >= first && frame < first + own)
    .map((boundary) => ({
      ...boundary,
      at_ms: itemAt(frames, boundary.frame).at_ms,
      frame: boundary.frame - first,
    }));
  const jpegs = new KeptJpegs();
  const { failures, faces, texts, asked } = await recognizePictures(samples, stillness(samples, frames), {
    ...look,
    sample_ms: span.sample_ms,
    shots: shotsBetween(boundaries),
    keep: (jpeg) => jpegs.keep(jpeg),
    reached: (fraction) => look.reached(DECODED + (1 - DECODED) * fraction),
  });
  const pictures = samples.map((picture, at) => {
    const { at_ms, width, height, jpeg } = picture;
    const light = lightOf(itemAt(frames, picture.frame).planes);
    const kept = isTile(picture, span) ? jpegs.keep(jpeg) : null;
    return { at_ms, width, height, ...light, jpeg: kept, faces: itemAt(faces, at), texts: itemAt(texts, at) };
  });
  return { seen: { frames: own, boundaries, motion, pictures, failures }, jpegs: jpegs.all, asked };
}

/** Collects JPEGs, which are stored in one object. */
class KeptJpegs {
  readonly all: Buffer[] = [];
  #bytes = 0;

  keep(jpeg: Buffer): StoredBytes {
    const from = this.#bytes;
    this.all.push(jpeg);
    this.#bytes += jpeg.length;
    return { from, to: this.#bytes };
  }
}

const shotsBetween = (boundaries: readonly { readonly at_ms: number }[]) => {
  const starts = [0, ...boundaries.map(({ at_ms }) => at_ms)];
  return starts.map((start_ms, at) => ({ start_ms, end_ms: starts[at + 1] ?? Number.MAX_SAFE_INTEGER }));
};

/** For each sample, whether it shows the same as the previous one, except for noise. Such a sample has no new text. */
const stillness = (samples: readonly Picture[], frames: readonly Frame[]): boolean[] =>
  samples.map(({ frame }, at) => {
    const before = samples[at - 1];
    return (
      before !== undefined &&
      difference(itemAt(frames, before.frame).planes, itemAt(frames, frame).planes) < STILL
    );
  });

/** Decodes the span, and `AROUND_MS` before and after it. The first frame has the number 0. */
async function* sights({ tools, media, span, width, height, timeout_ms, signal }: Look) {
  const from_ms = Math.max(0, span.start_ms - AROUND_MS);
  const looking = { width, height, sample_ms: span.sample_ms, from_ms, isSparse: span.is_sparse };
  let before = 0;
  for await (const sight of decodePictures(tools, media, looking, { timeout_ms, signal })) {
    const { at_ms } = sight.kind === 'frame' ? sight.frame : sight.picture;
    if (!span.is_last && at_ms >= span.end_ms + AROUND_MS) return;
    const isEarly = span.index > 0 && at_ms < from_ms;
    if (isEarly && sight.kind === 'frame') before += 1;
    if (isEarly) continue;
    if (sight.kind === 'sample')
      yield { ...sight, picture: { ...sight.picture, frame: sight.picture.frame - before } };
    else yield sight;
  }
}

const isTile = ({ at_ms }: Picture, { sample_ms, tile_ms }: PictureSpan): boolean =>
  (Math.floor(at_ms / sample_ms) * sample_ms) % tile_ms === 0;

function lightOf(planes: Uint8Array): { mean: number; spread: number } {
  const luma = planes.subarray(0, (planes.length * 2) / 3);
  const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
  const square = luma.reduce((sum, value) => sum + (value - mean) ** 2, 0) / luma.length;
  return { mean: Math.round(mean), spread: Math.round(Math.sqrt(square)) };
}

const tooManyFrames = () =>
  mediaLimitExceeded('The video has far more frames than its duration allows. Export it again.');
