/** Makes short videos for tests from plans, with ffmpeg, and returns their true content as data. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTypeOf } from '../../content/output/woff.ts';
import { diameterOf, graphOf, plateOf } from './test-videos/graph.ts';
import {
  courseAt,
  type TestScene,
  type TestSubject,
  type TestTone,
  type TestVideoPlan,
} from './test-videos/plan.ts';

const execute = promisify(execFile);

export interface TestVideo {
  /** MP4 with H.264 and, with tones, AAC. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly frame_rate: number;
  readonly frames: number;
  readonly duration_ms: number;
  readonly shots: readonly TrueShot[];
  readonly titles: readonly TrueTitle[];
  /** Frames that are white for a moment. */
  readonly flashes: readonly number[];
  readonly tones: readonly TestTone[];
  /** For each frame, the places of its subjects. Within a dissolve, the frame belongs to one of the two shots. */
  readonly subjects: readonly (readonly Place[])[];
}

/** A rectangle in fractions of the picture. Values below 0 or above 1: the subject leaves the picture. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TrueShot {
  readonly start_frame: number;
  /** The first frame after the shot. */
  readonly end_frame: number;
  readonly transition: 'start' | 'cut' | 'dissolve' | 'fade';
  /** The frames of the transition to this shot: from the first changed frame to the first frame without change. */
  readonly changing: { readonly start_frame: number; readonly end_frame: number };
}

export interface TrueTitle {
  readonly text: string;
  readonly start_frame: number;
  readonly end_frame: number;
  /** The place of the text, with some space around it. */
  readonly box: Place;
}

/**
 * Makes the video in the folder, or reuses it if the same plan was made there before. 200 frames of 320 × 180 take
 * about a second.
 */
export async function makeTestVideo(plan: TestVideoPlan, folder: string): Promise<TestVideo> {
  const name = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 16);
  const file = join(folder, `${name}.mp4`);
  if (!existsSync(file)) await write(plan, file);
  return { file, ...truthOf(plan) };
}

/** The facts about the video that are known from its plan. */
export function truthOf(plan: TestVideoPlan): Omit<TestVideo, 'file'> {
  const { width, height, scenes, tones = [] } = plan;
  const [count, seconds = 1] = plan.rate.split('/').map(Number) as [number, number?];
  const starts = sceneStarts(scenes);
  const frames = starts.at(-1)! + scenes.at(-1)!.frames;
  const shots = scenes.map((scene, at) =>
    shotOf(scene, starts[at]!, scenes[at + 1], starts[at + 1] ?? frames),
  );
  return {
    width,
    height,
    frame_rate: count / seconds,
    frames,
    duration_ms: Math.round((frames * 1000 * seconds) / count),
    shots,
    titles: scenes.flatMap((scene, at) => titleOf(plan, scene, starts[at]!)),
    flashes: scenes.flatMap(({ flashes = [] }, at) => flashes.map((frame) => starts[at]! + frame)),
    tones,
    subjects: shots.flatMap(({ start_frame, end_frame }, at) =>
      Array.from({ length: end_frame - start_frame }, (_, frame) =>
        placesAt(plan, scenes[at]!, start_frame + frame - starts[at]!),
      ),
    ),
  };
}

/** The first frame that shows something of each scene. */
function sceneStarts(scenes: readonly TestScene[]): number[] {
  let end = 0;
  return scenes.map(({ begins, frames }) => {
    const start = end - (begins?.as === 'dissolve' ? begins.frames : 0);
    end = start + frames;
    return start;
  });
}

/** A dissolve belongs to the next shot from its middle on, a fade from its darkest or brightest point. */
function shotOf(
  { begins }: TestScene,
  start: number,
  next: TestScene | undefined,
  nextStart: number,
): TrueShot {
  const half = (scene: TestScene | undefined) =>
    scene?.begins?.as === 'dissolve' ? Math.round(scene.begins.frames / 2) : 0;
  const isFirst = start === 0;
  const changing = { start_frame: start, end_frame: start };
  if (begins) changing.end_frame += begins.frames;
  if (begins?.as === 'fade') changing.start_frame -= begins.frames;
  return {
    start_frame: start + half({ begins } as TestScene),
    end_frame: nextStart + half(next),
    transition: isFirst ? 'start' : (begins?.as ?? 'cut'),
    changing,
  };
}

function titleOf(plan: TestVideoPlan, { title, frames }: TestScene, start: number): TrueTitle[] {
  if (!title) return [];
  const { x, y, width, height } = plateOf(plan, title);
  const box = {
    x: x / plan.width,
    y: y / plan.height,
    width: width / plan.width,
    height: height / plan.height,
  };
  const { text, start_frame = 0, end_frame = frames } = title;
  return [{ text, start_frame: start + start_frame, end_frame: start + end_frame, box }];
}

function placesAt(plan: TestVideoPlan, { subjects = [] }: TestScene, frame: number): Place[] {
  return subjects.map((subject: TestSubject) => {
    const diameter = diameterOf(plan, subject);
    const [width, height] = [diameter / plan.width, diameter / plan.height];
    const [x, y] = [courseAt(subject.x, frame) - width / 2, courseAt(subject.y, frame) - height / 2];
    return { x, y, width, height };
  });
}

async function write(plan: TestVideoPlan, file: string): Promise<void> {
  const work = `${file}.work`;
  await mkdir(work, { recursive: true });
  const { filters, files } = graphOf(plan, work, await titleFont(work));
  await writeFile(join(work, 'graph'), filters);
  await Promise.all([...files].map(([path, text]) => writeFile(path, text)));
  const { frames, duration_ms } = truthOf(plan);
  const sound = plan.tones ? ['-map', '[sound]', '-c:a', 'aac', '-t', String(duration_ms / 1000)] : [];
  const made = join(work, 'made.mp4');
  await execute('ffmpeg', [
    ...[
      '-nostdin',
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-filter_complex_script',
      join(work, 'graph'),
    ],
    ...['-map', '[video]', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-threads', '1'],
    ...['-frames:v', String(frames), ...sound, '-bitexact', made],
  ]);
  await rename(made, file);
  await rm(work, { recursive: true });
}

/** The font of the site, which npm installs, because installed fonts differ. */
async function titleFont(folder: string): Promise<string> {
  const file = join(folder, 'font.ttf');
  const packed = createRequire(import.meta.url).resolve(
    '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff',
  );
  await writeFile(file, openTypeOf(readFileSync(packed)));
  return file;
}
