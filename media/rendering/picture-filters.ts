/** Returns ffmpeg's filters that make the picture of the clip from the picture of the source. Pure. */

import { itemAt } from '../../shared/checked-access.ts';
import type { CropPath, CropPoint } from '../framing/crop-path.ts';
import { isHdr } from './plan-render.ts';
import type { Chunk, Colour, Rate, RenderPlan } from './render-plan.ts';

type Position = Pick<CropPoint, 'x' | 'y'>;

export interface PictureFilters {
  /** The filters from the decoder to a picture of the clip's size. */
  readonly chain: readonly string[];
  /** Files that the filters read, by name. The caller writes them. */
  readonly files: ReadonlyMap<string, string>;
}

/** @param lead_s the seconds from where reading begins to the chunk's first frame @param fileOf returns the path of a file */
export function sourceFilters(
  plan: RenderPlan,
  chunk: Chunk,
  lead_s: number,
  fileOf: (name: string) => string,
): PictureFilters {
  const { source, output } = plan;
  const frames = chunk.end_frame - chunk.start_frame;
  const first = chunk.start_frame - plan.start_frame;
  const { num, den } = output.frame_rate;
  const framing = framed(plan, first, frames, fileOf);
  const chain = [
    ...(source.is_interlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    // Selects the picture that is shown at the time of each frame. Repeats the last picture.
    `fps=fps=${num}/${den}:start_time=${lead_s}`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${frames}`,
    `setpts=N+${first}`,
    // Tone mapping comes before cropping, because zscale fails on pictures that a crop left unaligned in memory.
    ...(isHdr(source) ? toneMapped(source.colour) : []),
    ...turned[source.rotation],
    ...framing.chain,
    'setsar=1',
    'format=yuv420p',
  ];
  return { chain, files: framing.files };
}

/** Returns filters for the intro or outro of a branding: they show the whole picture, with black bars if its aspect ratio differs. */
export function brandingFilters({ output }: RenderPlan, frames: number): readonly string[] {
  const { width, height, frame_rate, colour } = output;
  return [
    `fps=fps=${frame_rate.num}/${frame_rate.den}:start_time=0`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${frames}`,
    'setpts=N',
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bicubic:${ofColour(colour.matrix)}`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    'format=yuv420p',
  ];
}

/** Returns filters that scale an overlay to the size of the output. @param first the chunk's first frame, counted from the start of the clip */
export function overlayFilters({ output, overlay }: RenderPlan, first: number): readonly string[] {
  const { width, height, frame_rate, colour } = output;
  const size = `scale=${width}:${height}:force_original_aspect_ratio=decrease:flags=bicubic:${ofColour(colour.matrix)}`;
  const still = [size, 'format=yuva420p'];
  if (overlay?.duration_ms == null) return still;
  // The overlay loops. A chunk continues the loop where the previous chunk ended.
  const turn = Math.max(1, Math.round((overlay.duration_ms * frame_rate.num) / frame_rate.den / 1000));
  return [
    `fps=fps=${frame_rate.num}/${frame_rate.den}:start_time=0`,
    `trim=start_frame=${first % turn}`,
    `setpts=N+${first}`,
    ...still,
  ];
}

const ofColour = (matrix: string) => `out_color_matrix=${swscale[matrix] ?? 'bt709'}:out_range=tv`;
/** Color matrices by swscale's names. */
const swscale: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt601',
  smpte170m: 'smpte170m',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
};

const turned: Readonly<Record<RenderPlan['source']['rotation'], readonly string[]>> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

function framed(plan: RenderPlan, first: number, frames: number, fileOf: (name: string) => string) {
  const { source, framing, output } = plan;
  const isSideways = source.rotation % 180 === 90;
  const upright = isSideways
    ? { width: source.coded.height, height: source.coded.width }
    : { width: source.coded.width, height: source.coded.height };
  const isAsLarge = output.width === upright.width && output.height === upright.height;
  const isOtherColour =
    !isHdr(source) && (source.colour.range === 'pc' || !/^yuvj?4/.test(source.pixel_format));
  const scaled = (width: number, height: number) =>
    `scale=${width}:${height}:flags=bicubic:${isOtherColour ? `in_range=${source.colour.range}:${ofColour(output.colour.matrix)}` : 'out_range=tv'}`;
  if (framing === null) {
    const chain = isAsLarge && !isOtherColour ? [] : [scaled(output.width, output.height)];
    return { chain, files: new Map() };
  }
  const [ux, uy] = [upright.width / source.width, upright.height / source.height];
  const window = { width: framing.width * ux, height: framing.height * uy };
  const positions = cropPositions(framing, first, frames, output.frame_rate).map(({ x, y }) => ({
    x: Math.min(Math.max(0, x * ux), upright.width - window.width),
    y: Math.min(Math.max(0, y * uy), upright.height - window.height),
  }));
  const across = axis(
    positions.map(({ x }) => x),
    window.width,
    upright.width,
    output.width,
  );
  const down = axis(
    positions.map(({ y }) => y),
    window.height,
    upright.height,
    output.height,
  );
  const { num, den } = output.frame_rate;
  const commands = (name: string, at: (frame: number) => Position) => {
    const text = commandsOf(name, frames, at, (frame) => ((first + frame - 0.5) * den) / num);
    return text === '' ? null : text;
  };
  const rough = commands('rough', (frame) => ({
    x: itemAt(across.rough, frame),
    y: itemAt(down.rough, frame),
  }));
  const fine = commands('fine', (frame) => ({ x: itemAt(across.fine, frame), y: itemAt(down.fine, frame) }));
  const isScaled = across.scaled !== across.taken || down.scaled !== down.taken || isOtherColour;
  const isFine = across.scaled !== output.width || down.scaled !== output.height;
  const sent = (name: string, text: string | null) => (text === null ? [] : [`sendcmd=f=${fileOf(name)}`]);
  const chain = [
    ...sent('rough.cmd', rough),
    `crop@rough=${across.taken}:${down.taken}:${across.rough[0]}:${down.rough[0]}:exact=1`,
    ...(isScaled ? [scaled(across.scaled, down.scaled)] : []),
    ...(isFine ? sent('fine.cmd', fine) : []),
    ...(isFine
      ? [`crop@fine=${output.width}:${output.height}:${across.fine[0]}:${down.fine[0]}:exact=1`]
      : []),
  ];
  const files = [['rough.cmd', rough] as const, ['fine.cmd', isFine ? fine : null] as const];
  return { chain, files: new Map(files.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))) };
}

/**
 * Moves a window in steps smaller than a pixel of the source. The first crop is slightly too large and starts at even pixels, because
 * color is stored for every second pixel. After scaling, a second crop removes the excess, in pixels of the clip. Pixels of the clip are
 * smaller if the clip enlarges the source.
 */
function axis(wanted: readonly number[], window: number, whole: number, size: number) {
  const isStill = wanted.every((position) => position === wanted[0]);
  if (isStill) {
    const taken = Math.min(whole, Math.max(2, 2 * Math.round(window / 2)));
    const at = Math.min(Math.round(wanted[0] ?? 0), whole - taken);
    return { taken, scaled: size, rough: wanted.map(() => at), fine: wanted.map(() => 0) };
  }
  const taken = Math.min(whole, 2 * Math.ceil((window + 2) / 2));
  const isSameSize = Math.abs(window - size) < 0.5;
  const scaled = isSameSize ? taken : Math.max(size, 2 * Math.ceil((taken * size) / window / 2));
  const rough = wanted.map((position) => Math.min(2 * Math.floor(position / 2), whole - taken));
  const fine = wanted.map((position, frame) =>
    Math.min(Math.max(0, Math.round(((position - itemAt(rough, frame)) * scaled) / taken)), scaled - size),
  );
  return { taken, scaled, rough, fine };
}

/** Returns sendcmd commands that move the crop `name`. A frame has a command only if the crop moves. */
function commandsOf(
  name: string,
  frames: number,
  at: (frame: number) => Position,
  timeOf: (frame: number) => number,
) {
  const lines: string[] = [];
  for (let frame = 1; frame < frames; frame += 1) {
    const [before, now] = [at(frame - 1), at(frame)];
    const changes = (['x', 'y'] as const).filter((side) => now[side] !== before[side]);
    if (changes.length === 0) continue;
    const commands = changes.map((side) => `[enter] crop@${name} ${side} ${now[side]}`);
    lines.push(`${timeOf(frame).toFixed(6)} ${commands.join(', ')};`);
  }
  return lines.join('\n');
}

/** Maps HDR to SDR. Light of 100 cd/m² becomes white, and Hable's curve compresses brighter light. */
function toneMapped(colour: Colour): string[] {
  const given = `min=${colour.matrix}:pin=${colour.primaries}:tin=${colour.transfer}:rin=${colour.range === 'pc' ? 'full' : 'limited'}`;
  return [
    `zscale=${given}:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=limited',
    'format=yuv420p',
  ];
}

/** A point also applies to a frame that is up to this much earlier, because points are rounded to milliseconds and frames are not. */
const ROUNDING_MS = 1;

/** Returns each frame's upper left corner, in pixels of the source as displayed. @param start the first frame, counted from the start of the clip */
export function cropPositions({ points }: CropPath, start: number, frames: number, { num, den }: Rate) {
  let at = 0;
  return Array.from({ length: frames }, (_, frame) => {
    const now_ms = ((start + frame) * den * 1000) / num;
    while (at + 1 < points.length && itemAt(points, at + 1).at_ms <= now_ms + ROUNDING_MS) at += 1;
    const [before, after] = [itemAt(points, at), points[at + 1]];
    const lasts = after === undefined || after.jump || now_ms <= before.at_ms;
    if (lasts) return { x: before.x, y: before.y };
    const share = (now_ms - before.at_ms) / (after.at_ms - before.at_ms);
    const between = (one: number, other: number) => one + (other - one) * Math.min(1, share);
    return { x: between(before.x, after.x), y: between(before.y, after.y) };
  });
}
