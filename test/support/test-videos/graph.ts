/** Makes the filter graph of ffmpeg that draws a plan. */
import { join } from 'node:path';
import {
  courseExpression,
  type TestPicture,
  type TestScene,
  type TestSubject,
  type TestVideoPlan,
} from './plan.ts';

export interface Graph {
  /** Ends in the pad `[video]`. */
  readonly filters: string;
  /** The texts that the filters read, by path. */
  readonly files: ReadonlyMap<string, string>;
}

export function graphOf(plan: TestVideoPlan, folder: string, font: string): Graph {
  const files = new Map<string, string>();
  const scenes = plan.scenes.map((scene, at) => {
    const title = join(folder, `title-${at}.txt`);
    if (scene.title) files.set(title, scene.title);
    return sceneChains(plan, at, { title, font });
  });
  const filters = [...scenes, ...joins(plan)].join(';\n');
  return { filters, files };
}

/** The size of a panned picture as a multiple of the visible part. */
const PANNED = 1.6;

function sceneChains(plan: TestVideoPlan, at: number, paths: { title: string; font: string }): string {
  const scene = plan.scenes[at]!;
  const { subjects = [] } = scene;
  const chains = [`${background(plan, scene)}[s${at}_0]`];
  for (const [number, subject] of subjects.entries()) {
    const diameter = diameterOf(plan, subject);
    chains.push(`${disc(plan, subject, diameter)}[d${at}_${number}]`);
    const left = (course: TestSubject['x'], side: number) =>
      `'(${courseExpression(course)})*${side}-${diameter / 2}'`;
    const place = `x=${left(subject.x, plan.width)}:y=${left(subject.y, plan.height)}`;
    chains.push(`[s${at}_${number}][d${at}_${number}]overlay=${place}:format=yuv444[s${at}_${number + 1}]`);
  }
  const last = [...title(plan, scene, paths), ...light(plan, at), ...exactly(plan, scene.frames)];
  chains.push(`[s${at}_${subjects.length}]${last.join(',')}[scene${at}]`);
  return chains.join(';\n');
}

export const diameterOf = ({ width, height }: TestVideoPlan, { size }: TestSubject): number =>
  2 * Math.round((Math.min(width, height) * size) / 2);

function background(plan: TestVideoPlan, { picture, frames, pan }: TestScene): string {
  const { width, height, rate } = plan;
  const isPanned = pan !== undefined;
  const scale = isPanned ? PANNED : 1;
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const filters = [
    source(picture, size, rate),
    'format=yuv444p',
    ...(moving.has(picture.kind) ? [] : held(rate)),
  ];
  if (isPanned) {
    const moved = (share: number, side: 'w' | 'h') =>
      `'(i${side}-o${side})/2+o${side}*(${share})*(n/${Math.max(1, frames - 1)}-0.5)'`;
    filters.push(`crop=${width}:${height}:x=${moved(pan.x, 'w')}:y=${moved(pan.y, 'h')}:exact=1`);
  }
  return filters.join(',');
}

const moving = new Set<TestPicture['kind']>(['testsrc2', 'gradients', 'cellauto', 'snow']);
/** Repeats the first frame forever: a still is drawn once. */
const held = (rate: string) => ['trim=end_frame=1', 'loop=loop=-1:size=1', ...countedFrames(rate)];

function countedFrames(rate: string): string[] {
  const [frames, seconds = '1'] = rate.split('/');
  return [`settb=${seconds}/${frames}`, 'setpts=N'];
}

function source(
  { kind, seed }: TestPicture,
  { width, height }: { width: number; height: number },
  rate: string,
) {
  const sized = `size=${width}x${height}:rate=${rate}`;
  const colour = (shift: number) =>
    `0x${(((seed + shift) * 0x9e3779b1) >>> 8).toString(16).padStart(6, '0')}`;
  const grey = (w: number, h: number) => `color=c=gray:size=${w}x${h}:rate=${rate},format=yuv444p`;
  // Places at the edge of the Mandelbrot set, with many shapes.
  const [x, y] = [-1.25 + 0.618 * (seed % 3), 0.05 + 0.11 * (seed % 7)];
  const sources: Readonly<Record<TestPicture['kind'], string>> = {
    testsrc2: `testsrc2=${sized},hue=h=${(seed * 47) % 360}`,
    gradients: `gradients=${sized}:seed=${seed}:n=4:c0=${colour(0)}:c1=${colour(1)}:c2=${colour(2)}:c3=${colour(3)}:speed=0.02`,
    cellauto: `cellauto=${sized}:seed=${seed}:rule=${[18, 30, 110, 150][seed % 4]}`,
    snow: `${grey(width, height)},noise=alls=100:allf=t+u:all_seed=${seed}`,
    mandelbrot: `mandelbrot=${sized}:maxiter=200:start_x=${x}:start_y=${y}:start_scale=${0.4 + 0.2 * (seed % 4)}`,
    // Clouds of a few pixels, enlarged, with their own grain: as uneven as the objects in a room.
    texture:
      `${grey(14 + 2 * (seed % 6), 8 + (seed % 6))},noise=alls=100:all_seed=${seed},` +
      `scale=${width}:${height}:flags=bicubic,eq=saturation=0.6:brightness=${(((seed * 7) % 11) - 6) / 25},` +
      `noise=alls=25:all_seed=${seed + 1}`,
    bars: `smptehdbars=${sized},hue=h=${(seed * 47) % 360}`,
    colour: `color=c=${colour(0)}:${sized}`,
  };
  return sources[kind];
}

/** A still disc with a pattern, brighter than most backgrounds. */
function disc({ rate }: TestVideoPlan, { seed }: TestSubject, diameter: number): string {
  const pattern = source(
    { kind: seed % 2 === 0 ? 'testsrc2' : 'texture', seed },
    { width: diameter, height: diameter },
    rate,
  );
  const round =
    "geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(hypot(X-W/2+0.5,Y-H/2+0.5),W/2),255,0)'";
  const bright = 'eq=brightness=0.25:contrast=1.2';
  return [
    pattern,
    'format=yuv444p',
    bright,
    'trim=end_frame=1',
    'format=yuva444p',
    round,
    ...held(rate),
  ].join(',');
}

function title(
  { width, height }: TestVideoPlan,
  { title: text }: TestScene,
  paths: { title: string; font: string },
) {
  if (!text) return [];
  const size = Math.round(Math.min(width / 14, height / 8));
  const plate = {
    width: Math.min(width, Math.round(size * 0.62 * text.length + size)),
    height: Math.round(size * 1.95),
  };
  const [x, y] = [Math.round((width - plate.width) / 2), Math.round(height / 2 - plate.height / 2)];
  return [
    `drawbox=x=${x}:y=${y}:w=${plate.width}:h=${plate.height}:color=0x101820:t=fill`,
    `drawtext=fontfile=${paths.font}:textfile=${paths.title}:fontsize=${size}:fontcolor=white:` +
      `x=(w-text_w)/2:y=${y + plate.height / 2}-text_h/2`,
  ];
}

function light({ scenes }: TestVideoPlan, at: number): string[] {
  const { picture, flashes = [], frames, begins, grain, flicker } = scenes[at]!;
  const ends = scenes[at + 1]?.begins;
  const white = flashes.map((frame) => `eq(n,${frame})`).join('+');
  return [
    ...(grain ? [`noise=alls=${grain}:allf=t:all_seed=${picture.seed}`] : []),
    ...(flicker ? [`eq=brightness='${flicker}*sin(n*2.1)':eval=frame`] : []),
    ...(white === '' ? [] : [`drawbox=color=white:t=fill:enable='${white}'`]),
    ...(begins?.as === 'fade'
      ? [`fade=t=in:start_frame=0:nb_frames=${begins.frames}:color=${begins.through}`]
      : []),
    ...(ends?.as === 'fade'
      ? [`fade=t=out:start_frame=${frames - ends.frames}:nb_frames=${ends.frames}:color=${ends.through}`]
      : []),
  ];
}

const exactly = ({ rate }: TestVideoPlan, frames: number) => [
  'format=yuv444p',
  'setsar=1',
  ...countedFrames(rate),
  `trim=end_frame=${frames}`,
];

/** Joins the scenes. Keeps colors complete for odd sizes, because 4:2:0 needs even sides. */
function joins({ scenes, rate, width, height }: TestVideoPlan): string[] {
  const isEven = width % 2 === 0 && height % 2 === 0;
  const chains: string[] = [];
  let [last, length] = ['scene0', scenes[0]!.frames];
  for (const [index, { begins, frames }] of scenes.slice(1).entries()) {
    const at = index + 1;
    const shared = begins?.as === 'dissolve' ? begins.frames : 0;
    const [count, seconds = 1] = rate.split('/').map(Number) as [number, number?];
    const secondsOf = (number: number) => ((number * seconds) / count).toFixed(6);
    const join = shared
      ? `xfade=transition=fade:duration=${secondsOf(shared)}:offset=${secondsOf(length - shared)}`
      : 'concat=n=2:v=1:a=0';
    chains.push(`[${last}][scene${at}]${[join, ...countedFrames(rate)].join(',')}[until${at}]`);
    [last, length] = [`until${at}`, length + frames - shared];
  }
  return [...chains, `[${last}]fps=${rate},format=${isEven ? 'yuv420p' : 'yuv444p'}[video]`];
}
