/** How fast subtitles are written and read, beside the libraries of npm that do so, in one process. */
import { createRequire } from 'node:module';
import type { Cue } from '../lambdas/subtitles/rules/cue.ts';
import { parseSrt, writeSrt } from '../lambdas/subtitles/rules/srt.ts';
import { parseVtt, writeVtt } from '../lambdas/subtitles/rules/vtt.ts';
import { median, type Report, shuffled } from './report.ts';

const ROUNDS = 25;
const CUE_COUNT = 2000;
/** How long a contender runs in a round, ms of a processor, so that the fast are timed as well as the slow. */
const SAMPLE_MS = 40;
/** Deviation of the control from itself, in percent, above which the machine was too busy to tell. */
const TOLERANCE = 3;

type Contender = { name: string; task: 'read' | 'write'; megabytes: number; once: () => unknown };

/** Packages are loaded by their names alone: their types are of no use here. */
const load = createRequire(import.meta.url) as <Package>(name: string) => Package;

const control = { read: 'WebVTT, simplified: ours', write: 'WebVTT, simplified: ours' };
const twin = 'WebVTT, simplified: ours again (A/A)';

export async function run(): Promise<Report> {
  const contenders = contest();
  const speeds = await measure(contenders);
  return report(contenders, speeds);
}

function contest(): Contender[] {
  const cues = conversation();
  const simplified = writeVtt(cues, { flavor: 'simplified' });
  const standard = writeVtt(cues, { flavor: 'standard', language: 'en' });
  const srt = writeSrt(cues);
  const { WebVTTParser, WebVTTSerializer } = load<W3c>('webvtt-parser');
  const parser = new WebVTTParser();
  const parsed = parser.parse(simplified).cues;
  const serializer = new WebVTTSerializer();
  const nodeWebvtt = load<NodeWebvtt>('node-webvtt');
  const tree = nodeWebvtt.parse(simplified);
  const subsrt = load<Subsrt>('subsrt-ts');
  const captions = subsrt.parse(simplified, vtt);
  const plussub = load<Plussub>('@plussub/srt-vtt-parser');
  const mediaCaptions = load<MediaCaptions>('media-captions');

  const read = (name: string, file: string, parse: (file: string) => unknown): Contender => {
    // As a file is that was read: one that was just written stays a rope with one end, which costs each look at it.
    const text = Buffer.from(file).toString();
    return { name, task: 'read', megabytes: Buffer.byteLength(text) / 1e6, once: () => parse(text) };
  };
  const write = (name: string, file: string, make: () => string): Contender => {
    return { name, task: 'write', megabytes: Buffer.byteLength(file) / 1e6, once: () => flat(make()) };
  };
  return [
    read(control.read, simplified, parseVtt),
    read(twin, simplified, parseVtt),
    read('WebVTT, simplified: webvtt-parser', simplified, (file) => parser.parse(file)),
    read('WebVTT, simplified: @plussub/srt-vtt-parser', simplified, (file) => plussub.parse(file)),
    read('WebVTT, simplified: subsrt-ts', simplified, (file) => subsrt.parse(file, vtt)),
    read('WebVTT, simplified: node-webvtt', simplified, (file) => nodeWebvtt.parse(file)),
    read('WebVTT, simplified: media-captions', simplified, (file) => mediaCaptions.parseText(file)),
    read('WebVTT, standard: ours', standard, parseVtt),
    read('SubRip: ours', srt, parseSrt),
    write(control.write, simplified, () => writeVtt(cues, { flavor: 'simplified' })),
    write(twin, simplified, () => writeVtt(cues, { flavor: 'simplified' })),
    write('WebVTT, simplified: webvtt-parser', simplified, () => serializer.serialize(parsed)),
    write('WebVTT, simplified: subsrt-ts', simplified, () => subsrt.build(captions, vtt)),
    write('WebVTT, simplified: node-webvtt', simplified, () => nodeWebvtt.compile(tree)),
    write('WebVTT, standard: ours', standard, () => writeVtt(cues, { flavor: 'standard', language: 'en' })),
    write('SubRip: ours', srt, () => writeSrt(cues)),
  ];
}

type W3c = {
  WebVTTParser: new () => { parse(file: string): { cues: object[] } };
  WebVTTSerializer: new () => { serialize(cues: object[]): string };
};
type NodeWebvtt = { parse(file: string): object; compile(tree: object): string };
type Subsrt = {
  parse(file: string, options: { format: 'vtt' }): object[];
  build(captions: object[], options: { format: 'vtt' }): string;
};
type Plussub = { parse(file: string): object };
type MediaCaptions = { parseText(file: string): Promise<object> };

const vtt = { format: 'vtt' } as const;

/** Megabytes a second by contender, one a round, every round in another order. The first round only warms up. */
async function measure(contenders: readonly Contender[]): Promise<Map<Contender, number[]>> {
  const speeds = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const contender of shuffled(contenders)) {
      const speed = await speedOf(contender);
      if (round > 0) speeds.get(contender)!.push(speed);
    }
  }
  return speeds;
}

/** By the time of processors: others may work on this machine. */
async function speedOf({ once, megabytes }: Contender): Promise<number> {
  const start = process.cpuUsage();
  let runs = 0;
  let elapsed = 0;
  while (elapsed < SAMPLE_MS) {
    await once();
    runs += 1;
    const { user, system } = process.cpuUsage(start);
    elapsed = (user + system) / 1000;
  }
  return (runs * megabytes * 1000) / elapsed;
}

function report(contenders: readonly Contender[], speeds: Map<Contender, number[]>): Report {
  const ratioToControl = (contender: Contender) => {
    const first = contenders.find(({ name, task }) => task === contender.task && name === control[task])!;
    const its = speeds.get(first)!;
    return median(speeds.get(contender)!.map((speed, round) => speed / its[round]!));
  };
  const deviations = contenders
    .filter(({ name }) => name === twin)
    .map((contender) => Math.abs(ratioToControl(contender) - 1) * 100);
  const deviation = Math.max(...deviations);
  return {
    title: 'Subtitles',
    method:
      `${CUE_COUNT} cues of two lines, read from and written to flat strings in memory, in one process; medians of ` +
      `${ROUNDS} interleaved rounds in random order, by the time of processors; ratios within a round. The libraries write from what ` +
      'they parsed, our writer from cues; a megabyte is one of our file. What they give differs: webvtt-parser, which is of the ' +
      'author of the format, validates and builds trees; ours gives plain text, names voices and reports problems; the others give ' +
      'the text of a cue as it stands. Only webvtt-parser and media-captions read by the algorithm of the standard, as ours does; only ' +
      'webvtt-parser and ours escape what they write. subtitle is left out: it was slower than subsrt-ts in both and brings ' +
      'thirteen packages.',
    columns: ['task', 'MB/s', 'ratio'],
    rows: contenders.map((contender) => ({
      name: contender.name,
      values: [
        contender.task,
        median(speeds.get(contender)!).toFixed(1),
        ratioToControl(contender).toFixed(3),
      ],
    })),
    void: deviation > TOLERANCE ? `The control deviated from itself by ${deviation.toFixed(1)} %.` : null,
  };
}

/** Strings are ropes until they are used; what is measured is a text that can be sent. */
function flat(text: string): string {
  text.charCodeAt(text.length - 1);
  return text;
}

function conversation(): Cue[] {
  const lines = [
    ['With me tonight is Dr. Elena Ruiz,', 'who has spent the last twelve years'],
    ['on the coast studying what happens', 'to the sea when nobody is looking.'],
    ['Because it was there, I suppose.', 'Would you not say so yourself?'],
    ['And because my father told me never', 'to go near it, for example at night.'],
  ];
  return Array.from({ length: CUE_COUNT }, (_, i) => ({
    start_ms: i * 3100,
    end_ms: i * 3100 + 2957,
    lines: lines[i % lines.length]!,
    speaker: i % 4 < 2 ? 'Host' : 'Elena Ruiz',
  }));
}

if (import.meta.main) console.log(JSON.stringify(await run(), null, 2));
