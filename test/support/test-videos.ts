/** Makes short videos for tests from plans, with ffmpeg, and returns their true content as data. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { siteFontIn } from './site-font.ts';
import { diameterOf, graphOf } from './test-videos/graph.ts';
import { courseAt, type TestScene, type TestVideoPlan } from './test-videos/plan.ts';

const execute = promisify(execFile);

export interface TestVideo {
  /** MP4 with H.264. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly frame_rate: number;
  readonly frames: number;
  readonly duration_ms: number;
  /** `end_frame` is the first frame after the shot. */
  readonly shots: readonly { readonly start_frame: number; readonly end_frame: number }[];
  /** For each frame, the places of its subjects. Within a dissolve, the frame belongs to one of the two shots. */
  readonly subjects: readonly (readonly Place[])[];
}

/** A rectangle in fractions of the picture. Values below 0 or above 1: the subject leaves the picture. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
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

function truthOf(plan: TestVideoPlan): Omit<TestVideo, 'file'> {
  const { width, height, scenes } = plan;
  const [count, seconds = 1] = plan.rate.split('/').map(Number) as [number, number?];
  const starts = sceneStarts(scenes);
  const frames = starts.at(-1)! + scenes.at(-1)!.frames;
  // A dissolve belongs to the next shot from its middle on, a fade from its darkest or brightest point.
  const shown = scenes.map((scene, at) => starts[at]! + Math.round(dissolveOf(scene) / 2));
  const shots = shown.map((start_frame, at) => ({ start_frame, end_frame: shown[at + 1] ?? frames }));
  return {
    width,
    height,
    frame_rate: count / seconds,
    frames,
    duration_ms: Math.round((frames * 1000 * seconds) / count),
    shots,
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
  return scenes.map((scene) => {
    const start = end - dissolveOf(scene);
    end = start + scene.frames;
    return start;
  });
}

const dissolveOf = ({ begins }: TestScene) => (begins?.as === 'dissolve' ? begins.frames : 0);

function placesAt(plan: TestVideoPlan, { subjects = [] }: TestScene, frame: number): Place[] {
  return subjects.map((subject) => {
    const diameter = diameterOf(plan, subject);
    const [width, height] = [diameter / plan.width, diameter / plan.height];
    const [x, y] = [courseAt(subject.x, frame) - width / 2, courseAt(subject.y, frame) - height / 2];
    return { x, y, width, height };
  });
}

async function write(plan: TestVideoPlan, file: string): Promise<void> {
  const work = `${file}.work`;
  await mkdir(work, { recursive: true });
  const { filters, files } = graphOf(plan, work, siteFontIn(work));
  await writeFile(join(work, 'graph'), filters);
  await Promise.all([...files].map(([path, text]) => writeFile(path, text)));
  const made = join(work, 'made.mp4');
  await execute('ffmpeg', [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
    ...['-filter_complex_script', join(work, 'graph')],
    ...['-map', '[video]', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-threads', '1'],
    ...['-frames:v', String(truthOf(plan).frames), '-bitexact', made],
  ]);
  await rename(made, file);
  await rm(work, { recursive: true });
}
