/** Measures the time to render a clip, compared with ffmpeg alone, and the gain of two chunks in parallel. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cropPositions } from '../media/rendering/picture-filters.ts';
import { deviationOf, inFolder } from './kit.ts';
import { memoryOf, tree } from './processes.ts';
import { CLIP, cropsOf, RATE } from './rendering/clips.ts';
import { median, type Report, type Row } from './report.ts';

const ROUNDS = 3;
const SIZE = { width: 1920, height: 1080 };
/** If two runs of the same command differ by more than this percentage, the result does not count. */
const MOST_BETWEEN_TWINS = 3;
const script = join(import.meta.dirname, 'rendering/clip.ts');

interface Taken {
  readonly cpu_s: number;
  readonly wall_s: number;
  readonly mib: number;
}

export const run = (): Promise<Report> => inFolder(measured);

async function measured(folder: string): Promise<Report> {
  const media = join(folder, 'media.mp4');
  const [picture, sound] = [
    `testsrc2=s=1920x1080:r=${RATE}:d=32,noise=alls=8:allf=t`,
    'sine=440:r=48000:d=32',
  ];
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound];
  const made = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50 -c:a aac'.split(' ');
  await taken(['ffmpeg', '-v', 'error', ...inputs, ...made, media]);
  const engine = (wish: string) => ['node', script, media, join(folder, wish), wish];
  // This call also writes the subtitles that the plain ffmpeg commands draw.
  for (const wish of ['wide', 'tall']) await taken(engine(wish));
  const contenders: Record<string, () => Promise<Taken>> = {
    'subtitles: ffmpeg alone': () => taken(bare(folder, media, 'wide')),
    'subtitles: ffmpeg alone again': () => taken(bare(folder, media, 'wide')),
    'subtitles: rendered': () => taken(engine('wide')),
    '9:16, moving crop, subtitles: ffmpeg alone': () => taken(bare(folder, media, 'tall')),
    '9:16, moving crop, subtitles: rendered': () => taken(engine('tall')),
    'the whole clip twice, a core each': () => sideBySide(folder, media, [[], []]),
    'its two halves as chunks, a core each': () => sideBySide(folder, media, [['0'], ['1']]),
  };
  const results = new Map(Object.keys(contenders).map((name) => [name, [] as Taken[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, contend] of Object.entries(contenders)) {
      process.stderr.write(`${round + 1} ${name}\n`);
      results.get(name)!.push(await contend());
    }
  }
  const of = (name: string, member: keyof Taken) => median(results.get(name)!.map((one) => one[member]));
  const base: Record<string, string> = {
    'subtitles: ffmpeg alone again': 'subtitles: ffmpeg alone',
    'subtitles: rendered': 'subtitles: ffmpeg alone',
    '9:16, moving crop, subtitles: rendered': '9:16, moving crop, subtitles: ffmpeg alone',
    'its two halves as chunks, a core each': 'the whole clip twice, a core each',
  };
  const ratio = (name: string, member: keyof Taken) =>
    base[name] === undefined ? '' : (of(name, member) / of(base[name], member)).toFixed(3);
  const rows = Object.keys(contenders).map((name): Row => {
    const values = [
      of(name, 'cpu_s').toFixed(2),
      ratio(name, 'cpu_s'),
      of(name, 'wall_s').toFixed(2),
      ratio(name, 'wall_s'),
      of(name, 'mib').toFixed(0),
    ];
    return { name, values };
  });
  return {
    title: 'Rendering',
    method:
      `A clip of ${(CLIP.end_frame - CLIP.start_frame) / RATE} s of 1920×1080 at ${RATE} frames a second (a moving test picture with noise), median of ${ROUNDS} rounds. ` +
      'Rendered: a fresh process that reads the media through the range reader, lays out subtitles, renders picture and sound, and joins them; ' +
      'alone: one command of ffmpeg with the same filters and settings, of a file. The crop of the bare command moves by whole pixels of the source. ' +
      'CPU seconds of all processes; memory is the most that ffmpeg held. Two workers with nothing in common show what the machine gives ' +
      'to two at once: chunks that cost nothing would take half of their time, .5.',
    columns: ['CPU s', 'of the one before', 's', 'of the one before', 'MiB'],
    rows,
    void: deviationOf(Number(ratio('subtitles: ffmpeg alone again', 'cpu_s')), MOST_BETWEEN_TWINS),
  };
}

/** Arguments that render the same clip with one command of ffmpeg. */
function bare(folder: string, media: string, wish: 'wide' | 'tall'): string[] {
  const made = join(folder, wish);
  const subtitles = `ass=${join(made, 'subtitles.ass')}:fontsdir=${join(made, 'fonts')}`;
  const framing = cropsOf(SIZE);
  const commands = join(folder, 'crop.cmd');
  const positions = cropPositions(framing, 0, CLIP.end_frame - CLIP.start_frame, { num: RATE, den: 1 });
  const lines = positions.map(({ x }, at) => `${(at - 0.5) / RATE} crop x ${Math.round(x)};`);
  writeFileSync(commands, lines.slice(1).join('\n'));
  const crop = `sendcmd=f=${commands},crop=${framing.width}:${framing.height}:0:0,scale=1080:1920:flags=bicubic,`;
  const seconds = (CLIP.end_frame - CLIP.start_frame) / RATE;
  return [
    ...['ffmpeg', '-v', 'error', '-y', '-threads', '2', '-ss', String(CLIP.start_frame / RATE), '-i', media],
    ...['-t', String(seconds), '-vf', `${wish === 'tall' ? crop : ''}${subtitles}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-g', '50', '-bf', '2', '-threads', '2', '-x264-params', 'open-gop=0'],
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '160k', '-ac', '2', '-movflags', '+faststart'],
    join(folder, 'bare.mp4'),
  ];
}

/** Runs two workers, each on its own core. */
const sideBySide = (folder: string, media: string, chunks: readonly (readonly string[])[]) =>
  taken(
    ...chunks.map((chunk, core) => [
      ...['taskset', '-c', String(core)],
      ...['node', script, media, join(folder, `worker-${core}`), 'tall', ...chunk],
    ]),
  );

/** Runs the commands in parallel. */
async function taken(...commands: readonly (readonly string[])[]): Promise<Taken> {
  const cpu = childrenCpu();
  const began = performance.now();
  const peaks = await Promise.all(commands.map(watched));
  return { cpu_s: childrenCpu() - cpu, wall_s: (performance.now() - began) / 1000, mib: Math.max(...peaks) };
}

/** Runs the program to its end. Returns the peak memory of its ffmpeg processes. */
function watched([program, ...args]: readonly string[]): Promise<number> {
  const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let most = 0;
  const looking = setInterval(() => {
    for (const { pid, command } of tree(child.pid!))
      if (/^\S*ffmpeg /.test(command)) most = Math.max(most, (memoryOf(pid, 'VmHWM') ?? 0) / 2 ** 20);
  }, 200);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(looking);
      if (code === 0) resolve(most);
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}

/** CPU seconds of all ended descendants, from fields 16 and 17 of /proc/self/stat, in 1/100 s (proc(5)). */
function childrenCpu(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
