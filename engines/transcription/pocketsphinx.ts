/** The local default: CMU PocketSphinx with its US English model, both packages of Debian and Ubuntu. */
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  engineUnavailable,
  internalError,
  languageUnsupported,
  timedOut,
} from '../../platform/shared/job-errors.ts';
import type { Word } from '../../platform/shared/segments.ts';
import { covers } from '../engine.ts';
import { wavFile } from '../media/audio.ts';
import { planPieces } from '../media/silence.ts';
import {
  type Piece,
  type TranscriptionEngine,
  type TranscriptionRequest,
  transcriptionEngine,
} from './port.ts';

const languages = ['en'];

export const pocketsphinx = transcriptionEngine({
  name: 'pocketsphinx',
  runs: ['local'],
  languages,
  settings: {
    POCKETSPHINX_PATH: {
      description: 'Path or name of pocketsphinx_continuous',
      default: 'pocketsphinx_continuous',
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

/** Two minutes take some 25 s, which keeps progress visible and pieces of long media side by side. */
const MAX_PIECE_MS = 120_000;
/** Hopeless audio takes up to 1.5 times its length. */
const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 8 << 20;
const installCommand = 'apt-get install pocketsphinx pocketsphinx-en-us';

const execute = promisify(execFile);

function recogniser(parts: Parts): TranscriptionEngine {
  const supports = (language: string | null) => language === null || covers(languages, language);
  return {
    supports,
    plan: async (audio) => planPieces(audio.duration_ms, await audio.silences(), { max_ms: MAX_PIECE_MS }),
    async transcribe(piece, request) {
      if (!supports(request.language)) throw onlyEnglish(request.language!);
      await assertModel(parts.model_dir);
      const printed = await recognise(parts, piece, request);
      return {
        status: 'done',
        words: parseWords(printed, piece.start_ms),
        language: request.language ?? 'en-US',
      };
    },
  };
}

const onlyEnglish = (language: string) =>
  languageUnsupported(
    `The local recogniser (PocketSphinx) understands English only, not "${language}". ` +
      'Choose a model of that language: npm run models',
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

async function recognise(parts: Parts, piece: Piece, request: TranscriptionRequest): Promise<string> {
  const samples = await request.readSamples(piece);
  const folder = await mkdtemp(join(parts.work_dir, 'pocketsphinx-'));
  try {
    const file = join(folder, 'piece.wav');
    await writeFile(file, wavFile(samples));
    const { stdout } = await execute(parts.command, flags(parts.model_dir, file), {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      ...(request.signal && { signal: request.signal }),
    });
    return stdout;
  } catch (error) {
    request.signal?.throwIfAborted();
    throw whyFailed(error as NodeJS.ErrnoException & { killed?: boolean });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Only `maxhmmpf` differs from the model's defaults: it bounds the time of noisy passages and costs no
 * accuracy. Measured on four flite voices, clean and with pink noise 20 dB below: narrower beams save a third
 * of the time and triple the errors; `-remove_noise no` halves the errors of clean speech and doubles those of
 * noisy speech; `-lw`, `-vad_*`, `-topn`, `-ds` and `-fwdflat no` help one voice and harm another.
 */
function flags(model: string, file: string): string[] {
  return [
    ...['-infile', file, '-time', 'yes', '-logfn', '/dev/null', '-maxhmmpf', '10000'],
    ...['-hmm', join(model, 'en-us'), '-lm', join(model, 'en-us.lm.bin')],
    ...['-dict', join(model, 'cmudict-en-us.dict')],
  ];
}

function whyFailed(error: NodeJS.ErrnoException & { killed?: boolean }) {
  const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
  if (isMissing)
    return engineUnavailable(`PocketSphinx is not installed. Install it: ${installCommand}`, error);
  if (error.killed)
    return timedOut('The local recogniser did not finish two minutes of audio in ten.', error);
  return internalError('The local recogniser stopped before it was done.', error);
}

/**
 * The words that `pocketsphinx_continuous -time yes` prints: a line of text for every utterance, followed by
 * one line `word start end posterior` for each of its words, times in seconds from the start of the file.
 * Silence and noise (`<s>`, `<sil>`, `[NOISE]`, `++UH++`) are no words; "and(2)" is the second way to say "and".
 */
export function parseWords(printed: string, offset_ms: number): Word[] {
  const words: Word[] = [];
  for (const line of printed.split('\n')) {
    const timed = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+(?:\.\d+)?)$/.exec(line.trim());
    if (!timed) continue;
    const [, token = '', start, end, posterior] = timed;
    const isFiller = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/.test(token);
    if (isFiller) continue;
    words.push({
      text: token.replace(/\(\d+\)$/, ''),
      start_ms: offset_ms + Math.round(Number(start) * 1000),
      end_ms: offset_ms + Math.round(Number(end) * 1000),
      // Sums of rounded logarithms exceed 1 a little.
      confidence: Math.min(1, Number(posterior)),
    });
  }
  return words;
}
