/** Shots in edited films whose truth is known, and what looking at a 1080p video costs beside bare decoding. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBoundaries } from '../engines/shots/frame-differences.ts';
import { withOpenMedia } from '../media/ffmpeg/serve-ranges.ts';
import { decodePictures, type Frame, type Looking } from '../media/pictures/decode-pictures.ts';
import { editedFilm } from '../test/support/test-videos/plans.ts';
import { makeTestVideo } from '../test/support/test-videos.ts';
import type { Report, Row } from './report.ts';

const FILMS = Number(process.env.PICTURES_FILMS ?? 8);
const SHOTS = 25;
const SECONDS = 20;
/** Where Linux tells how much of a processor was used. */
const CPU = '/proc/self/stat';
const TICKS_A_SECOND = 100;
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };

export async function run(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-pictures-'));
  try {
    const rows = [...(await shotRows(folder)), ...(await costRows(folder))];
    return {
      title: 'Pictures',
      method: `${FILMS} generated films of ${SHOTS} shots: cuts, dissolves, fades, flashes, pans and grain; a boundary counts within one frame. ${SECONDS} s of 1080p at 30 a second, H.264 with B frames: seconds of a processor, ours and those of ffmpeg.`,
      columns: ['value'],
      rows,
      void: null,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function shotRows(folder: string): Promise<Row[]> {
  let [hits, guesses, truths] = [0, 0, 0];
  for (let seed = 100; seed < 100 + FILMS; seed += 1) {
    const video = await makeTestVideo(editedFilm(seed, SHOTS), folder);
    const found = findBoundaries(await framesOf(video.file, video));
    const starts = video.shots.slice(1).map(({ start_frame }) => start_frame);
    hits += starts.filter((start) => found.some(({ frame }) => Math.abs(frame - start) <= 1)).length;
    guesses += found.length;
    truths += starts.length;
  }
  const f1 = (2 * hits) / (guesses + truths);
  return [
    { name: 'boundaries: true, found, right', values: [`${truths}, ${guesses}, ${hits}`] },
    { name: 'F1', values: [f1.toFixed(3)] },
  ];
}

async function costRows(folder: string): Promise<Row[]> {
  const file = join(folder, 'hd.mp4');
  const source = `testsrc2=s=1920x1080:r=30:d=${SECONDS}`;
  const made = ['-c:v', 'libx264', '-preset', 'veryfast', file];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...made]);
  const size = { width: 1920, height: 1080 };
  const bare = await cpuOf(async () =>
    execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-']),
  );
  const normal = await cpuOf(async () => findBoundaries(await framesOf(file, size)));
  const turbo = await cpuOf(async () =>
    findBoundaries(await framesOf(file, { ...size, sample_ms: 3000, isSparse: true })),
  );
  const row = (name: string, seconds: number): Row => ({
    name,
    values: [`${seconds.toFixed(1)} s, ${(seconds / bare).toFixed(2)} ×`],
  });
  return [row('bare decoding', bare), row('normal, with shots', normal), row('turbo, with shots', turbo)];
}

async function framesOf(file: string, more: Partial<Looking> & Pick<Looking, 'width' | 'height'>) {
  const bytes = await readFile(file);
  const read = async (first: number, last: number) => bytes.subarray(first, last + 1);
  const looking = { sample_ms: 1000, from_ms: 0, ...more };
  const frames: Frame[] = [];
  await withOpenMedia({ size: bytes.length, read }, async (media) => {
    for await (const sight of decodePictures(tools, media, looking, { timeout_ms: 600_000 })) {
      if (sight.kind === 'frame') frames.push(sight.frame);
    }
  });
  return frames;
}

/** Seconds of a processor that it takes, with the processes that it starts. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = await ticks();
  await work();
  return ((await ticks()) - before) / TICKS_A_SECOND;
}

/** proc(5): utime, stime, and those of children that were waited for. */
async function ticks(): Promise<number> {
  const stat = await readFile(CPU, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
