/** Plans a clip: its size, and the chunks that are rendered in parallel. Pure. */
import type { CropPath } from '../framing/crop-path.ts';
import type {
  Chunk,
  Output,
  Rate,
  RenderNote,
  RenderPlan,
  RenderRequest,
  RenderSource,
} from './render-plan.ts';

/** The maximum size of a rendered picture: UHD. */
const LONGEST_SIDE = 3840;
const MOST_PIXELS = 3840 * 2160;
/** Aspect ratios count as equal if they differ by less than this, because sizes are rounded to even pixels. */
const SAME_RATIO = 0.01;
const GROUP_S = 2;
/** Rendering a chunk takes about a minute. For shorter chunks, starting would take longer than rendering. */
const SHORTEST_CHUNK_S = 30;
const LONGEST_CHUNK_S = 120;
/** The usual number of chunks of a clip. It is smaller if chunks would be too short, and larger if they would be too long. */
const CHUNKS = 100;
/**
 * The maximum number of pixels of a chunk. A function with 3,008 MB encodes them in seven minutes. A step lasts 15 minutes, and its
 * chunk may start after seven minutes. Measured: 30 frames of UHD (HEVC, 10 bits, with grain) take 10 s on one processor. A chunk
 * takes 450 s on one processor, or 270 s on the function's 1.7 processors.
 */
const CHUNK_PIXELS = 1920 * 1080 * 60 * 90;
/** The time for HDR, as a multiple of the time for SDR. Measured: with tone mapping, 30 frames take 17 s instead of 10 s. */
const HDR_SHARE = 2;

/** Returns the output. The shorter side keeps its length, to keep text sharp: for 9:16, 1920×1080 becomes 1080×1920. */
export function outputOf(source: RenderSource, aspect: { readonly x: number; readonly y: number } | null) {
  const { width, height, frame_rate } = source;
  const own = width / height;
  const ratio = aspect === null ? own : aspect.x / aspect.y;
  const isOwn = Math.abs(ratio / own - 1) < SAME_RATIO;
  const shorter = Math.min(width, height);
  const wanted = isOwn
    ? { width, height }
    : ratio >= 1
      ? { width: shorter * ratio, height: shorter }
      : { width: shorter, height: shorter / ratio };
  const shrink = Math.min(
    1,
    LONGEST_SIDE / Math.max(wanted.width, wanted.height),
    Math.sqrt(MOST_PIXELS / (wanted.width * wanted.height)),
  );
  const { range: _, ...colour } = source.colour;
  const hd = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709' };
  return {
    width: even(wanted.width * shrink),
    height: even(wanted.height * shrink),
    frame_rate,
    colour: isHdr(source) ? hd : colour,
  };
}

export function planRender(request: RenderRequest): RenderPlan {
  const { source, start_frame, end_frame, output, subtitles, ...rest } = request;
  const framing = request.framing ?? middle(source, output);
  const isCopied = mayCopy(request, framing);
  const files = { intro: request.intro, outro: request.outro };
  const part = (name: 'intro' | 'outro'): Chunk[] => {
    const duration_ms = files[name]?.duration_ms ?? 0;
    const frames = Math.round(framesIn(duration_ms, output.frame_rate));
    return frames === 0 ? [] : [{ part: name, how: 'encode', start_frame: 0, end_frame: frames }];
  };
  const clip: readonly Chunk[] = isCopied
    ? [{ part: 'clip', how: 'copy', start_frame, end_frame }]
    : chunksOf(start_frame, end_frame, output.frame_rate, affordable_s(source, output));
  const chunks = [...part('intro'), ...clip, ...part('outro')];
  const frames = chunks.reduce((sum, chunk) => sum + chunk.end_frame - chunk.start_frame, 0);
  const { num, den } = output.frame_rate;
  return {
    form: 1,
    ...rest,
    source: { ...source, clean_frames: null },
    start_frame,
    end_frame,
    output,
    framing,
    subtitles: subtitles && { document: subtitles.document, fonts: subtitles.fonts },
    chunks,
    frames,
    duration_ms: Math.round((frames * den * 1000) / num),
    notes: [...(subtitles?.notes ?? []), ...(isCopied ? [] : notesOn(source))],
  };
}

/** Whether a picture has HDR: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67). */
export const isHdr = ({ colour }: Pick<RenderSource, 'colour'>): boolean =>
  colour.transfer === 'smpte2084' || colour.transfer === 'arib-std-b67';

function notesOn(source: RenderSource): RenderNote[] {
  const notes: RenderNote[] = [];
  if (isHdr(source)) {
    const detail = 'The media are HDR. The clip is SDR (BT.709) with tone mapping.';
    notes.push({ code: 'tone_mapped', detail });
  }
  if (!source.is_constant) {
    const { num, den } = source.frame_rate;
    const rate = (num / den).toFixed(3).replace(/\.?0+$/, '');
    const detail = `The frame rate of the media varies. The clip has their average rate of ${rate} frames a second.`;
    notes.push({ code: 'frame_rate_made_constant', detail });
  }
  return notes;
}

function mayCopy({ source, ...request }: RenderRequest, framing: CropPath | null): boolean {
  const { subtitles, overlay, intro, outro, output, start_frame, end_frame } = request;
  const isTouched = [framing, subtitles, overlay, intro, outro].some((one) => one !== null);
  const isAsLarge = output.width === source.width && output.height === source.height;
  const clean = new Set(source.clean_frames);
  return !isTouched && isAsLarge && clean.has(start_frame) && clean.has(end_frame);
}

/** Returns a crop around the middle with the aspect ratio of the output. Null if the crop would be the whole picture. */
function middle(source: RenderSource, output: Output): CropPath | null {
  const [own, wanted] = [source.width / source.height, output.width / output.height];
  if (Math.abs(wanted / own - 1) < SAME_RATIO) return null;
  const width = Math.min(even(source.height * wanted), even(source.width));
  const height = Math.min(even(source.width / wanted), even(source.height));
  const point = { at_ms: 0, x: (source.width - width) / 2, y: (source.height - height) / 2, jump: true };
  return { width, height, points: [point] };
}

/** Returns the maximum duration of a chunk, seconds. It depends on the number of pixels that are decoded or encoded a second. */
function affordable_s(source: RenderSource, { width, height, frame_rate }: Output): number {
  const pixels = Math.max(source.width * source.height, width * height);
  const work = (pixels * frame_rate.num) / frame_rate.den;
  return Math.max(GROUP_S, CHUNK_PIXELS / work / (isHdr(source) ? HDR_SHARE : 1));
}

/** Returns chunks of whole groups of pictures. The last chunk may end within a group, and has at least half the length of the others. */
function chunksOf(start_frame: number, end_frame: number, rate: Rate, most_s: number): Chunk[] {
  const frames = end_frame - start_frame;
  const seconds = (frames * rate.den) / rate.num;
  const chunk_s = Math.min(Math.max(seconds / CHUNKS, SHORTEST_CHUNK_S), LONGEST_CHUNK_S, most_s);
  const count = Math.max(1, Math.round(seconds / chunk_s));
  const group = groupOf(rate);
  const length = Math.ceil(frames / count / group) * group;
  return Array.from({ length: Math.ceil(frames / length) }, (_, at): Chunk => {
    const first = start_frame + at * length;
    return {
      part: 'clip',
      how: 'encode',
      start_frame: first,
      end_frame: Math.min(first + length, end_frame),
    };
  });
}

export const groupOf = ({ num, den }: Rate): number => Math.max(1, Math.round((GROUP_S * num) / den));

const framesIn = (ms: number, { num, den }: Rate) => (ms * num) / den / 1000;
const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2));
