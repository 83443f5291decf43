/** The local default: eSpeak NG, a package of Debian and Ubuntu; small, quick, and audibly a machine. */
import { spawn } from 'node:child_process';
import { confineProgram, wasNotExecuted } from '../../media/ffmpeg/confine-program.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  languageUnsupported,
  timedOut,
} from '../../shared/job-errors.ts';
import { espeakLanguages, espeakName } from './espeak-languages.ts';
import { espeakVoices } from './espeak-voices.ts';
import { type SpeechEngine, type SpeechRequest, speechEngine } from './port.ts';
import { soundOfWav } from './read-wav.ts';
import { readable } from './speakable-text.ts';

/** scripts/bootstrap/engines.mjs installs the same. */
const installCommand = 'apt-get install espeak-ng';

export const espeak = speechEngine({
  name: 'espeak-ng',
  runs: ['local'],
  price: null,
  languages: espeakLanguages,
  moreLanguages: 'ENGINE_SPEECH may name an engine that speaks more.',
  settings: {
    ESPEAK_PATH: { description: 'Path or name of espeak-ng', default: 'espeak-ng', program: true },
  },
  permissions: {},
  make: ({ settings }) => speaker(settings.ESPEAK_PATH),
});

/** Words a minute that it speaks by itself. */
const OWN_RATE = 175;
/** 2,000 characters take half a second. */
const TIMEOUT_MS = 60_000;
/** The library of sound cards that it is linked with sets aside 64 MiB in memory, which counts as a file. */
const FILE_BYTES = 64 << 20;
const LIMITS = { addresses_bytes: 512 << 20, cpu_s: TIMEOUT_MS / 1000, file_bytes: FILE_BYTES };
/** Twenty minutes of speech. */
const MAX_OUTPUT_BYTES = 64 << 20;
/** All that the program knows of its surroundings. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C.UTF-8' };

function speaker(command: string): SpeechEngine {
  return {
    voices: (language) => (espeakName(language) === null ? [] : espeakVoices),
    async speak(text, request) {
      request.signal?.throwIfAborted();
      const args = argumentsFor(request);
      const characters = [...text].length;
      const file = await run(command, args, withoutPhonemes(readable(text)), request.signal);
      // Of a text without words it writes nothing.
      const sound = file.length === 0 ? silence : soundOfWav(file);
      if (sound === null) throw internalError('The local voice answered with something that is no speech.');
      return { ...sound, words: [], characters };
    },
  };
}

const silence = { samples: new Int16Array(0), sample_rate: 22_050 };

/** It takes `[[…]]` for names of sounds. */
const withoutPhonemes = (text: string) => text.replace(/\[(?=\[)/g, '[ ');

function argumentsFor({ language, voice: id, rate }: SpeechRequest): string[] {
  const name = espeakName(language);
  const voice = espeakVoices.find((one) => one.id === id);
  if (name === null) throw unsupported(language);
  if (voice === undefined) throw internalError(`The local speaker has no voice "${id}".`);
  return [
    ...['-v', `${name}+${voice.variant}`, '-p', String(voice.pitch)],
    // -z: no pause behind the last sentence; -b 1: UTF-8.
    ...['-s', String(Math.round(OWN_RATE * rate)), '-z', '-b', '1', '--stdin', '--stdout'],
  ];
}

const unsupported = (language: string) =>
  languageUnsupported(
    `The local speaker (eSpeak NG) does not speak "${language}". ` +
      'Choose a language whose `features` in `GET /v1/languages` include voice_over.',
  );

/** What the program writes when the text goes in by its standard input. */
async function run(
  command: string,
  args: readonly string[],
  text: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const [program, ...rest] = confineProgram(command, args, LIMITS);
  const child = spawn(program, rest, {
    stdio: 'pipe',
    env: environment,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    killSignal: 'SIGKILL',
  });
  const exiting = new Promise<{ code: number | null; failure?: Error }>((resolve) => {
    child.once('error', (failure) => resolve({ code: null, failure }));
    child.once('close', (code) => resolve({ code }));
  });
  // A program that ends early breaks the pipe; its exit says why.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  try {
    const logging = collected(child.stderr);
    const file = await collected(child.stdout);
    const [exit, log] = [await exiting, (await logging).toString('utf8')];
    signal?.throwIfAborted();
    if (deadline.aborted) throw timedOut('The local speaker did not finish a text in a minute.');
    if (exit.failure || exit.code !== 0) throw whyFailed(exit, log);
    return file;
  } finally {
    child.kill('SIGKILL');
  }
}

async function collected(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > MAX_OUTPUT_BYTES)
      throw internalError('The local speaker spoke for far longer than the text takes.');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

function whyFailed({ code, failure }: { code: number | null; failure?: Error }, log: string): JobError {
  const errno = (failure as NodeJS.ErrnoException | undefined)?.code;
  const isMissing = errno === 'ENOENT' || errno === 'EACCES' || wasNotExecuted(code, log.split('\n'));
  if (isMissing)
    return engineUnavailable(`eSpeak NG is not installed. Install it: ${installCommand}`, failure);
  return internalError('The local speaker stopped before it was done.', new Error(log.slice(-2000)));
}
