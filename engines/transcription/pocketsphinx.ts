/** The local default: CMU PocketSphinx with its US English model, both packages of Debian and Ubuntu. */
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
import { MOST_PIECES, planPieces } from './plan-pieces.ts';
import {
  type Assumption,
  type Interval,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

const languages = ['en'];
const moreLanguages = 'Choose a model of another language: `npm run models` lists and fetches them.';

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
      description: 'Folder that holds en-us/, en-us.lm.bin and cmudict-en-us.dict',
      default: '/usr/share/pocketsphinx/model/en-us',
    },
  },
  permissions: {},
  make: ({ settings, workDir }) =>
    recogniser({
      command: settings.POCKETSPHINX_PATH,
      model_dir: settings.POCKETSPHINX_MODEL_DIR,
      work_dir: workDir,
    }),
});

type Parts = {
  command: string;
  model_dir: string;
  /** An existing folder for the audio of the piece at work. */
  work_dir: string;
};

/** So much speech takes some 8 s: progress stays visible, jobs take turns, and loading the model is a twentieth of it. */
const PIECE_SPEECH_MS = 40_000;
/** Of words below that, most were never said: docs/decisions/0033-words-that-can-be-trusted.md. */
const LEAST_POSTERIOR = 0.02;
/** Of words below that, more are wrong than right. */
const DOUBTFUL_POSTERIOR = 0.2;
const LONGEST_UTTERANCE_MS = 12_000;
/** Hopeless audio takes up to 1.5 times its length. */
const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 32 << 20;
const installCommand = 'apt-get install pocketsphinx pocketsphinx-en-us';

const execute = promisify(execFile);

function recogniser(parts: Parts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || covers(languages, language);
  return {
    tellsSpeechApart: false,
    // A word that its dictionary does not have needs a pronunciation and a place in the language model.
    takesTerms: false,
    supports,
    plan: async (audio) => planPieces(audio, { max_speech_ms: speechOfAPiece(audio.utterances) }),
    async transcribe(_, request) {
      if (!supports(request.language)) throw onlyEnglish(request.language!);
      await assertModel(parts.model_dir);
      const silent = { words: '', paths: '' };
      const written = request.utterances.length === 0 ? silent : await recognise(parts, request);
      const words = parseWords(written.words, request.utterances);
      return {
        status: 'done',
        words: words.flatMap((spoken) => spoken.filter(isKept)).map(marked),
        language: request.language ?? 'en-US',
        ...(request.language === null && {
          assumed: { ...soundingEnglish(written.paths), confidence: sureness(words.flat()) },
        }),
      };
    },
  };
}

const sureness = (words: readonly Word[]) => words.reduce((sum, { confidence }) => sum + confidence, 0);

/** The first word of an utterance is kept whatever it is: somebody begins to speak there. */
const isKept = ({ confidence }: Word, at: number) => at === 0 || confidence >= LEAST_POSTERIOR;

const marked = (word: Word): Word =>
  word.confidence < DOUBTFUL_POSTERIOR ? { ...word, doubtful: true } : word;

/** A piece that takes no more is at most an utterance short of its fill. */
function speechOfAPiece(utterances: readonly Interval[]): number {
  const speech_ms = utterances.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
  return Math.max(PIECE_SPEECH_MS, Math.ceil(speech_ms / (MOST_PIECES - 1)) + LONGEST_UTTERANCE_MS);
}

const onlyEnglish = (language: string) =>
  languageUnsupported(
    `The local recogniser (PocketSphinx) understands English only, not "${language}". ${moreLanguages}`,
  );

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

/** What the recogniser writes of all utterances; each has a clock of its own, so that times cannot jump from one to another. */
type Written = { words: string; paths: string };

async function recognise(parts: Parts, request: TranscriptionRequest): Promise<Written> {
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
    createInterface(running.child.stderr!).on('line', (line) => onProgress?.(progress(line)));
    await running;
    const read = (name: keyof Written) => readFile(join(folder, name), 'utf8');
    return { words: await read('words'), paths: await read('paths') };
  } catch (error) {
    signal?.throwIfAborted();
    throw whyFailed(error as NodeJS.ErrnoException & { killed?: boolean });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
/**
 * What differs from the model's defaults. Silence is kept, since times count frames that are left; a faint noise is added
 * (`dither`, the same one each time), since digital silence is heard as words. `maxhmmpf` bounds the time of noisy passages
 * and costs no accuracy. Measured in docs/decisions/0033-words-that-can-be-trusted.md.
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

/** Tells of each line of the log how much of the speech is done by then; a line that is not of that kind changes nothing. */
function progressIn(utterances: readonly Interval[]): (line: string) => number {
  const speech_ms = utterances.reduce((sum, utterance) => sum + lengthOf(utterance), 0);
  let done_ms = 0;
  return (line) => {
    const done = /^INFO: batch\.c\(\d+\): (\d+): [\d.]+ seconds speech/.exec(line);
    if (done) done_ms += lengthOf(utterances[Number(done[1])]!);
    return done_ms / speech_ms;
  };
}

const lengthOf = ({ start_ms, end_ms }: Interval) => end_ms - start_ms;

function whyFailed(error: NodeJS.ErrnoException & { killed?: boolean }) {
  if (error instanceof JobError) return error;
  const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
  if (isMissing)
    return engineUnavailable(`PocketSphinx is not installed. Install it: ${installCommand}`, error);
  if (error.killed)
    return timedOut('The local recogniser did not finish less than two minutes of speech in ten.', error);
  return internalError('The local recogniser stopped before it was done.', error);
}

/** A frame of the recogniser; a word lasts from its first to its last one, both included. */
const FRAME_MS = 10;

/**
 * The words of each utterance, of what `pocketsphinx_batch -ctm` writes, one a line: `utterance channel start length word posterior`, seconds from
 * the start of the utterance, without silence and noises. The length lacks the last frame. Throws for a time outside of the
 * utterance: such a word was not heard there, and nobody knows where it was.
 */
export function parseWords(written: string, utterances: readonly Interval[]): Word[][] {
  const words: Word[][] = utterances.map(() => []);
  for (const line of written.split('\n').filter((line) => line !== '')) {
    const [name, , start, length, text = '', posterior] = line.split(' ');
    const { start_ms: from_ms, end_ms: to_ms } = utterances[Number(name)]!;
    const start_ms = from_ms + milliseconds(start);
    const end_ms = start_ms + milliseconds(length) + FRAME_MS;
    const isPossible = start_ms >= from_ms && end_ms > start_ms && end_ms <= to_ms;
    if (!isPossible) throw internalError('The local recogniser gave a word a time at which nobody spoke.');
    // Sums of rounded logarithms exceed 1 a little.
    words[Number(name)]!.push({ text, start_ms, end_ms, confidence: Math.min(1, Number(posterior)) });
  }
  return words;
}

const milliseconds = (seconds: string | undefined) => Math.round(Number(seconds) * 1000);

/** A word that costs more a frame sounds unlike English: most words of other languages do, few of English even in noise. */
const MOST_COST = 44_000;

/**
 * How much of what `pocketsphinx_batch -hypseg` writes sounds like English. A line an utterance: its name, `S`, `T`, `A` and
 * `L` with a number each, then first frame, acoustic score, language score and text of each word, and the number of frames
 * at the end. The acoustic score says by how much the sounds of the word fit worse than the best ones of the model.
 */
export function soundingEnglish(written: string): Pick<Assumption, 'words' | 'fitting'> {
  const words = written.split('\n').flatMap((line) => {
    const fields = line.split(' ').slice(9);
    return Array.from({ length: Math.floor(fields.length / 4) }, (_, i) => {
      const [first, score, , text = ''] = fields.slice(4 * i);
      const frames = Number(fields[4 * (i + 1)]) - Number(first);
      return { text, cost: -Number(score) / frames };
    });
  });
  const spoken = words.filter(({ text }) => !FILLER.test(text));
  return { words: spoken.length, fitting: spoken.filter(({ cost }) => cost <= MOST_COST).length };
}

/** Silence and noise: `<s>`, `<sil>`, `[NOISE]`, `++UH++`. */
const FILLER = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
