/** Measures how fast we read and write subtitles, compared with npm libraries. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { median, type Report, shuffled } from './report.ts';
import { OURS, readers, type Task, writers } from './subtitles/contenders.ts';
import type { Script } from './subtitles/texts.ts';

/** The number of processes for each contender. The memory layout of a process changes its speed by a few percent. */
const GENERATIONS = 9;
const ROUNDS = 9;
/** Rounds that are not measured, until V8 has optimized the contender's code. */
const WARM_UP = 6;
/** In percent. If two runs of the control differ by more than this, the machine was too busy for a result. */
const TOLERANCE = 3;
const SCRIPTS = ['latin', 'greek'] as const satisfies readonly Script[];

type Contender = { name: string; task: Task; isTwin: boolean };
/** The speeds of each contender in megabytes per second, one value for each generation. */
type Speeds = ReadonlyMap<Contender, readonly number[]>;

export async function run(): Promise<Report> {
  const contenders = [...contest('read', readers), ...contest('write', writers)];
  const [busyness] = loadavg();
  const speeds = new Map<Script, Speeds>();
  for (const script of SCRIPTS) speeds.set(script, await measure(contenders, script));
  return report(contenders, speeds, busyness!);
}

function contest(task: Task, all: object): Contender[] {
  const [first, ...others] = Object.keys(all).map((name) => ({ name, task, isTwin: false }));
  return [first!, { ...first!, isTwin: true }, ...others];
}

async function measure(contenders: readonly Contender[], script: Script): Promise<Speeds> {
  const speeds = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let generation = 0; generation < GENERATIONS; generation += 1) {
    const rounds = await lifetimes(contenders, script);
    for (const [contender, ofRounds] of rounds) speeds.get(contender)!.push(Math.max(...ofRounds));
  }
  return speeds;
}

/** Runs each contender once in each round, in random order. Each contender has its own process, and only one process runs at a time. */
async function lifetimes(contenders: readonly Contender[], script: Script): Promise<Speeds> {
  const program = join(import.meta.dirname, 'subtitles', 'child.ts');
  const children = new Map(
    contenders.map((contender) => [contender, fork(program, [contender.task, contender.name, script])]),
  );
  const speeds = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  try {
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      for (const contender of shuffled(contenders)) {
        const child = children.get(contender)!;
        child.send('go');
        const [speed] = (await once(child, 'message')) as [number];
        if (round >= 0) speeds.get(contender)!.push(speed);
      }
    }
  } finally {
    for (const child of children.values()) child.disconnect();
  }
  return speeds;
}

function report(
  contenders: readonly Contender[],
  all: ReadonlyMap<Script, Speeds>,
  busyness: number,
): Report {
  const ratio = (contender: Contender, script: Script): number => {
    const speeds = all.get(script)!;
    const control = contenders.find(({ name, task }) => task === contender.task && name === OURS)!;
    return median(speeds.get(contender)!) / median(speeds.get(control)!);
  };
  const deviations = contenders
    .filter(({ isTwin }) => isTwin)
    .flatMap((twin) => SCRIPTS.map((script) => Math.abs(ratio(twin, script) - 1) * 100));
  const deviation = Math.max(...deviations);
  return {
    title: 'Subtitles',
    method:
      'Two thousand cues of two lines, in English (one byte for each character in V8) and in Greek (two bytes). They are read ' +
      'from flat strings in memory, and written to them. Each contender has its own process, so that other code does not change ' +
      'how V8 optimizes it. One process runs at a time, for 40 ms of processor time. The table has medians of ' +
      `${GENERATIONS} processes for each contender. Each process counts with the fastest of ${ROUNDS} rounds in random order, ` +
      `because disturbances only slow it down. ${WARM_UP} rounds of warm-up come first. The load average was ` +
      `${busyness.toFixed(1)} at the start, so ratios tell more than megabytes. The libraries write the cues that they parsed. ` +
      'Our writer writes cues whose lines were checked when they were laid out. A megabyte is a megabyte of our file in UTF-8. ' +
      'The results differ: webvtt-parser, by an editor of the standard, validates and builds trees. Ours returns plain text, ' +
      'names voices and reports problems. The other libraries return the text of a cue unchanged. Only webvtt-parser, ' +
      'media-captions and ours read by the algorithm of the standard. Only webvtt-parser and ours escape the text that they ' +
      'write. The package subtitle is left out: it was slower than subsrt-ts in both tasks and has thirteen dependencies.',
    columns: ['task', ...SCRIPTS.flatMap((script) => [`${script}, MB/s`, 'ratio'])],
    rows: contenders.map((contender) => ({
      name: contender.isTwin ? `${contender.name} again (A/A)` : contender.name,
      values: [
        contender.task,
        ...SCRIPTS.flatMap((script) => [
          median(all.get(script)!.get(contender)!).toFixed(1),
          ratio(contender, script).toFixed(3),
        ]),
      ],
    })),
    void: deviation > TOLERANCE ? `The control deviated from itself by ${deviation.toFixed(1)} %.` : null,
  };
}

if (import.meta.main) console.log(JSON.stringify(await run(), null, 2));
