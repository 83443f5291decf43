/** Makes talks of several voices with known sentences, pauses, music and noise, for tests and benchmarks. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wavFile } from '../../media/ffmpeg/extract-sound.ts';
import type { Interval } from '../../shared/sound.ts';
import { type Random, seeded } from './talk/random.ts';
import { differentSentences } from './talk/sentences.ts';
import { interlude } from './talk/sounds.ts';
import { spoken, type Voice } from './talk/voices.ts';

const execute = promisify(execFile);

const RATE = 16_000;
/** Sentences that flite speaks in parallel. */
const AT_A_TIME = 4;

export type SpokenSentence = Interval & { text: string; voice: Voice };
/** Sounds of several seconds between sentences. Shorter pauses are not listed. */
type Stretch = Interval & { kind: 'music' | 'noise' | 'silence' };

export type Talk = {
  file: string;
  duration_ms: number;
  /** From the first to the last audible sample of each sentence, in order. */
  sentences: SpokenSentence[];
  /** In order, never during speech. */
  stretches: Stretch[];
};

type TalkOptions = {
  minutes: number;
  seed: number;
  /** The path of the file. Its folder is created. The reference is only returned. */
  dir: string;
  /** The voices that take turns, each with its own level. */
  voices?: readonly Voice[];
  /** The format: 16 kHz mono samples, or AAC at 96 kbit/s. */
  format?: 'wav' | 'm4a';
};

/** The same options give the same samples. Takes about 1/30 of the length of the talk, mostly for flite. */
export async function makeTalk(options: TalkOptions): Promise<Talk> {
  const { minutes, seed, dir, format = 'wav' } = options;
  await mkdir(dir, { recursive: true });
  const samples = new Int16Array(Math.round(minutes * 60 * RATE));
  const { sentences, stretches } = await perform(samples, options);
  addFloor(samples, seeded(seed + 2));
  const wav = join(dir, `talk-${seed}.wav`);
  await writeFile(wav, wavFile(new Uint8Array(samples.buffer)));
  const file = format === 'wav' ? wav : await encoded(wav, join(dir, `talk-${seed}.${format}`));
  return { file, duration_ms: Math.round((samples.length / RATE) * 1000), sentences, stretches };
}

/** Writes turns of sentences and the sounds between them into `samples` until it is full. */
async function perform(samples: Int16Array, { seed, dir, voices = americanVoices }: TalkOptions) {
  const random = seeded(seed);
  const sentences: SpokenSentence[] = [];
  const stretches: Stretch[] = [];
  let at = inSamples(random.between(0.3, 1.5));
  let nextStretch = inSamples(random.between(20, 45));
  for await (const { text, voice, isLastOfTurn, pcm } of speeches(seeded(seed + 1), voices, dir)) {
    if (at + pcm.length > samples.length) break;
    samples.set(pcm, at);
    sentences.push({ text, voice, start_ms: msOf(at), end_ms: msOf(at + pcm.length) });
    at += pcm.length + inSamples(isLastOfTurn ? random.between(0.7, 2) : random.between(0.35, 1.1));
    if (!isLastOfTurn || at < nextStretch) continue;
    const { kind, pcm: heard } = interlude(random, random.between(6, 20));
    if (at + heard.length > samples.length) break;
    samples.set(heard, at);
    stretches.push({ kind, start_ms: msOf(at), end_ms: msOf(at + heard.length) });
    at += heard.length + inSamples(random.between(0.4, 1.2));
    nextStretch = at + inSamples(random.between(30, 75));
  }
  return { sentences, stretches };
}

const inSamples = (seconds: number) => Math.round(seconds * RATE);
const msOf = (sample: number) => Math.round((sample / RATE) * 1000);

/** Without `awb`, which is Scottish: PocketSphinx's American model gets twice as many of its words wrong. */
const americanVoices: readonly Voice[] = ['slt', 'rms', 'kal16'];

type Planned = { text: string; voice: Voice; level_db: number; isLastOfTurn: boolean };

/** Returns sentences without end. Speaks some of them in parallel. */
async function* speeches(random: Random, voices: readonly Voice[], dir: string) {
  const plan = turns(random, voices);
  for (;;) {
    const next = Array.from({ length: AT_A_TIME }, () => plan.next().value);
    yield* await Promise.all(
      next.map(async (planned, i) => {
        const file = join(dir, `.sentence-${i}.wav`);
        const pcm = await spoken(planned.text, planned.voice, planned.level_db, file);
        await rm(file);
        return { ...planned, pcm };
      }),
    );
  }
}

function* turns(random: Random, voices: readonly Voice[]): Generator<Planned, never> {
  const nextText = differentSentences(random);
  const levels = new Map(voices.map((voice) => [voice, random.between(-25, -18)]));
  let voice = random.pick(voices);
  for (;;) {
    for (let left = 1 + random.whole(5); left >= 0; left--)
      yield { text: nextText(), voice, level_db: levels.get(voice)!, isLastOfTurn: left === 0 };
    voice = random.pick(voices.length > 1 ? voices.filter((other) => other !== voice) : voices);
  }
}

/** The background noise that every recording has, at 66 dB below full scale. */
function addFloor(samples: Int16Array, random: Random): void {
  // Uniform noise of ±√3·σ has the standard deviation σ.
  const peak = 32_768 * 10 ** (-66 / 20) * Math.sqrt(3);
  for (let i = 0; i < samples.length; i++) {
    const heard = samples[i]! + random.between(-peak, peak);
    samples[i] = Math.max(-32_768, Math.min(32_767, Math.round(heard)));
  }
}

async function encoded(wav: string, file: string): Promise<string> {
  const options = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'];
  await execute('ffmpeg', [...options, '-i', wav, '-c:a', 'aac', '-b:a', '96k', file]);
  await rm(wav);
  return file;
}
