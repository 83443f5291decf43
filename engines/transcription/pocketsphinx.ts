/** CMU PocketSphinx for US English, from Debian: the local default. `ENGINE_TRANSCRIPTION=pocketsphinx` */
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { wavFile } from '../../media/ffmpeg/extract-sound.ts';
import {
  engineUnavailable,
  internalError,
  JobError,
  languageUnsupported,
  timedOut,
} from '../../shared/job-errors.ts';
import type { Word } from '../../shared/segments.ts';
import { covers } from '../engine.ts';
import { MAX_PIECES, planPieces } from './plan-pieces.ts';
import {
  type Assumption,
  type Interval,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

const languages = ['en'];
const moreLanguages = 'Install a model of another language: `npm run models` lists and downloads them.';

export const pocketsphinx = transcriptionEngine({
  name: 'pocketsphinx',
  runs: ['local'],
  price: null,
  languages,
  moreLanguages,
  settings: {
    POCKETSPHINX_PATH: {
      description: 'Path or name of pocketsphinx_batch',
      default: 'pocketsphinx_batch',
      program: true,
    },
    POCKETSPHINX_MODEL_DIR: {
      description: 'Folder that contains en-us/, en-us.lm.bin and cmudict-en-us.dict',
      default: '/usr/share/pocketsphinx/model/en-us',
    },
  },
  make: ({ settings, workDir }) =>
    recognizer({
      command: settings.POCKETSPHINX_PATH,
      model_dir: settings.POCKETSPHINX_MODEL_DIR,
      work_dir: workDir,
    }),
});

type Parts = {
  command: string;
  model_dir: string;
  /** The folder for the audio of the current piece. It must exist. */
  work_dir: string;
};

/** The duration of speech in a piece: about 8 s of work. With short pieces, progress is visible, and other jobs wait less. */
const PIECE_SPEECH_MS = 40_000;
/** The minimum confidence of a word. Most words with less confidence were not spoken: docs/decisions/0033-word-filtering.md. */
const MIN_POSTERIOR = 0.02;
/** A word with less confidence is marked as doubtful: more than half of such words are wrong. */
const DOUBTFUL_POSTERIOR = 0.2;
const LONGEST_UTTERANCE_MS = 12_000;
/** Time limit, ms. Very noisy audio takes up to 1.5 times its duration. */
const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 32 << 20;
const installCommand = 'apt-get install pocketsphinx pocketsphinx-en-us';

const execute = promisify(execFile);

function recognizer(parts: Parts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || covers(languages, language);
  return {
    tellsSpeechApart: false,
    // A new word would need a pronunciation in the dictionary and a place in the language model.
    takesTerms: false,
    supports,
    plan: async (audio) => planPieces(audio, { max_speech_ms: maxSpeechOf(audio.utterances) }),
    async transcribe(_, request) {
      if (request.language !== null && !supports(request.language)) throw onlyEnglish(request.language);
      await assertModel(parts.model_dir);
      const silent = { words: '', paths: '' };
      const output = request.utterances.length === 0 ? silent : await recognize(parts, request);
      const words = parseWords(output.words, request.utterances);
      const confidence = words.flat().reduce((sum, word) => sum + word.confidence, 0);
      return {
        status: 'done',
        words: words.flatMap((spoken) => spoken.filter(isKept)).map(markDoubtful),
        language: request.language ?? 'en-US',
        ...(request.language === null && {
          assumed: { ...countEnglishWords(output.paths), confidence },
        }),
      };
    },
  };
}

/** Whether to keep a word. Always keeps the first word of an utterance, because a person starts to speak there. */
const isKept = ({ confidence }: Word, at: number) => at === 0 || confidence >= MIN_POSTERIOR;

const markDoubtful = (word: Word): Word =>
  word.confidence < DOUBTFUL_POSTERIOR ? { ...word, doubtful: true } : word;

/** Returns the maximum speech in a piece, so that there are at most `MAX_PIECES`. A piece can have less, because utterances are not split. */
function maxSpeechOf(utterances: readonly Interval[]): number {
  const share_ms = Math.ceil(speechIn(utterances) / (MAX_PIECES - 1));
  return Math.max(PIECE_SPEECH_MS, share_ms + LONGEST_UTTERANCE_MS);
}

const onlyEnglish = (language: string) =>
  languageUnsupported(`PocketSphinx supports only English, not "${language}". ${moreLanguages}`);

async function assertModel(folder: string): Promise<void> {
  for (const file of ['en-us/mdef', 'en-us.lm.bin', 'cmudict-en-us.dict']) {
    await access(join(folder, file)).catch((cause) => {
      throw engineUnavailable(
        `The English model of PocketSphinx is not installed. Install it: ${installCommand}`,
        cause,
      );
    });
  }
}

/** The output of the program. Times start at 0 in each utterance, so that no word can move to another utterance. */
type Output = { words: string; paths: string };

async function recognize(parts: Parts, request: TranscriptionRequest): Promise<Output> {
  const { utterances, signal, onProgress } = request;
  const folder = await mkdtemp(join(parts.work_dir, 'pocketsphinx-'));
  try {
    const names = utterances.map((_, i) => String(i));
    for (const [i, utterance] of utterances.entries())
      await writeFile(join(folder, `${i}.wav`), wavFile(await request.readSamples(utterance)));
    await writeFile(join(folder, 'utterances'), `${names.join('\n')}\n`);
    const running = execute(parts.command, flags(parts.model_dir, folder), {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      ...(signal && { signal }),
    });
    const progress = progressIn(utterances);
    if (running.child.stderr)
      createInterface(running.child.stderr).on('line', (line) => onProgress?.(progress(line)));
    await running;
    const read = (name: keyof Output) => readFile(join(folder, name), 'utf8');
    return { words: await read('words'), paths: await read('paths') };
  } catch (error) {
    signal?.throwIfAborted();
    throw toJobError(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The options that differ from the defaults of the model. Silence is kept, because the times would not count removed frames.
 * `dither` adds a faint noise, the same each time, because digital silence is recognized as words. `maxhmmpf` limits the time for
 * noisy passages without loss of accuracy. Measured in docs/decisions/0033-word-filtering.md.
 */
function flags(model: string, folder: string): string[] {
  return [
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', folder, '-cepext', '.wav'],
    ...['-ctl', join(folder, 'utterances'), '-ctm', join(folder, 'words')],
    ...['-hypseg', join(folder, 'paths')],
    ...['-remove_silence', 'no', '-dither', 'yes', '-seed', '1', '-maxhmmpf', '10000'],
    ...['-hmm', join(model, 'en-us'), '-lm', join(model, 'en-us.lm.bin')],
    ...['-dict', join(model, 'cmudict-en-us.dict')],
  ];
}

/** Returns a function that reads the lines of the log, and returns the finished share of the speech. */
function progressIn(utterances: readonly Interval[]): (line: string) => number {
  const speech_ms = speechIn(utterances);
  let done_ms = 0;
  return (line) => {
    const done = /^INFO: batch\.c\(\d+\): (\d+): [\d.]+ seconds speech/.exec(line);
    const utterance = done && utterances[Number(done[1])];
    if (utterance) done_ms += lengthOf(utterance);
    return done_ms / speech_ms;
  };
}

const lengthOf = ({ start_ms, end_ms }: Interval) => end_ms - start_ms;
const speechIn = (utterances: readonly Interval[]) =>
  utterances.reduce((sum, utterance) => sum + lengthOf(utterance), 0);

function toJobError(error: unknown): unknown {
  if (error instanceof JobError || !(error instanceof Error)) return error;
  const isMissing = 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
  if (isMissing)
    return engineUnavailable(`PocketSphinx is not installed. Install it: ${installCommand}`, error);
  if ('killed' in error && error.killed)
    return timedOut('PocketSphinx did not finish less than two minutes of speech in ten minutes.', error);
  return internalError('PocketSphinx stopped with an error.', error);
}

const FRAME_MS = 10;

/**
 * Reads the output of `pocketsphinx_batch -ctm`, one word per line: `utterance channel start length word posterior`. Times are in
 * seconds from the start of the utterance. The length is one frame too short. Throws if a time is outside of its utterance, because
 * the true time of the word is then unknown.
 */
export function parseWords(ctm: string, utterances: readonly Interval[]): Word[][] {
  const words: Word[][] = utterances.map(() => []);
  for (const line of ctm.split('\n').filter((line) => line !== '')) {
    const [name, , start, length, text = '', posterior] = line.split(' ');
    const [utterance, spoken] = [utterances[Number(name)], words[Number(name)]];
    if (!utterance || !spoken) throw impossibleTime();
    const { start_ms: from_ms, end_ms: to_ms } = utterance;
    const start_ms = from_ms + milliseconds(start);
    const end_ms = start_ms + milliseconds(length) + FRAME_MS;
    const isPossible = start_ms >= from_ms && end_ms > start_ms && end_ms <= to_ms;
    if (!isPossible) throw impossibleTime();
    // A sum may slightly exceed 1, because the logarithms are rounded.
    spoken.push({ text, start_ms, end_ms, confidence: Math.min(1, Number(posterior)) });
  }
  return words;
}

const impossibleTime = () => internalError('PocketSphinx returned a word outside of its utterance.');

const milliseconds = (seconds: string | undefined) => Math.round(Number(seconds) * 1000);

/** The maximum cost per frame of a word that sounds English. Most words of other languages cost more, and few English words do. */
const MAX_COST = 44_000;

/**
 * Counts the words in the output of `pocketsphinx_batch -hypseg`, and those that sound like English. Each line is an utterance: its
 * name; `S`, `T`, `A` and `L` with a number each; for each word the first frame, acoustic score, language score and text; and the
 * number of frames. The acoustic score is the distance between the sounds of the word and the best sounds of the model.
 */
export function countEnglishWords(hypseg: string): Pick<Assumption, 'words' | 'fitting'> {
  const words = hypseg.split('\n').flatMap((line) => {
    const fields = line.split(' ').slice(9);
    return Array.from({ length: Math.floor(fields.length / 4) }, (_, i) => {
      const [first, score, , text = ''] = fields.slice(4 * i);
      const frames = Number(fields[4 * (i + 1)]) - Number(first);
      return { text, cost: -Number(score) / frames };
    });
  });
  const spoken = words.filter(({ text }) => !FILLER.test(text));
  return { words: spoken.length, fitting: spoken.filter(({ cost }) => cost <= MAX_COST).length };
}

/** Matches silence and noise: `<s>`, `<sil>`, `[NOISE]`, `++UH++`. */
const FILLER = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
