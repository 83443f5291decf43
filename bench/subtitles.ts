/** How fast subtitles are written and read, beside the libraries of npm that do so. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { median, type Report, shuffled } from './report.ts';
import { OURS, readers, type Task, writers } from './subtitles/contenders.ts';
import type { Script } from './subtitles/texts.ts';

/** How often every contender gets a new process: where its code and data lie in memory is worth some percent, for its life. */
const GENERATIONS = 9;
const ROUNDS = 9;
/** Rounds of a process until V8 has made of its contender what it will. */
const WARM_UP = 6;
/** Deviation of the control from itself, in percent, above which the machine was too busy to tell. */
const TOLERANCE = 3;
const SCRIPTS = ['latin', 'greek'] as const satisfies readonly Script[];

type Contender = { name: string; task: Task; isTwin: boolean };
/** Megabytes a second, one a generation. */
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

/** One a round, every round in another order, each in its own process, which waits while others run. */
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
      'Two thousand cues of two lines, English (a byte a character in V8) and Greek (two), read from and written to flat strings in ' +
      'memory. Each contender has a process of its own, so that no other shapes what V8 makes of its code; one runs at a time, 40 ms ' +
      `of a processor; medians of ${GENERATIONS} processes a contender, of each the fastest of ${ROUNDS} interleaved rounds in random order, since what disturbs only slows, ` +
      `after ${WARM_UP} that warm up. The ` +
      `machine had ${busyness.toFixed(1)} processes to run as it began: ratios tell more than megabytes. The libraries write from what they ` +
      'parsed, our writer from cues as they were laid, whose lines were looked at then; a megabyte is one of our file in UTF-8. What they give differs: webvtt-parser, which is of the ' +
      'author of the format, validates and builds trees; ours gives plain text, names voices and reports problems; the others give ' +
      'the text of a cue as it stands. Only webvtt-parser and media-captions read by the algorithm of the standard, as ours does; only ' +
      'webvtt-parser and ours escape what they write. subtitle is left out: it was slower than subsrt-ts in both and brings ' +
      'thirteen packages.',
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
