/** eSpeak NG, a package of Debian and Ubuntu: small and fast, but it sounds like a machine. `ENGINE_SPEECH=espeak-ng` */
import { internalError, languageUnsupported } from '../../shared/job-errors.ts';
import { runProgram } from '../run-program.ts';
import { espeakLanguages, espeakName } from './espeak-languages.ts';
import { espeakVoices } from './espeak-voices.ts';
import { type SpeechEngine, type SpeechRequest, speechEngine } from './port.ts';
import { readWav } from './read-wav.ts';
import { toSpeakableText } from './speakable-text.ts';

/** scripts/bootstrap/engines.mjs installs the same package. */
const installCommand = 'apt-get install espeak-ng';

export const espeak = speechEngine({
  name: 'espeak-ng',
  runs: ['local'],
  price: null,
  languages: espeakLanguages,
  moreLanguages: 'ENGINE_SPEECH can name an engine with more languages.',
  settings: {
    ESPEAK_PATH: { description: 'Path or name of espeak-ng', default: 'espeak-ng', program: true },
  },
  make: ({ settings }) => speaker(settings.ESPEAK_PATH),
});

/** The default rate of eSpeak, in words per minute. */
const DEFAULT_RATE = 175;
/** Time limit, ms. 2,000 characters take half a second. */
const TIMEOUT_MS = 60_000;
/** The file size limit of the process. eSpeak writes no file, but its audio library reserves 64 MiB of memory that count as a file. */
const FILE_BYTES = 64 << 20;
const LIMITS = { addresses_bytes: 512 << 20, cpu_s: TIMEOUT_MS / 1000, file_bytes: FILE_BYTES };
/** The maximum output, bytes: twenty minutes of speech. */
const MAX_OUTPUT_BYTES = 64 << 20;

function speaker(command: string): SpeechEngine {
  return {
    voices: (language) => (espeakName(language) === null ? [] : espeakVoices),
    async speak(text, request) {
      request.signal?.throwIfAborted();
      const { output, log, hasSucceeded } = await runProgram({
        command,
        args: argumentsFor(request),
        input: withoutPhonemes(toSpeakableText(text)),
        limits: LIMITS,
        path: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
        timeout_ms: TIMEOUT_MS,
        max_output_bytes: MAX_OUTPUT_BYTES,
        signal: request.signal,
        failures: {
          missing: `eSpeak NG is not installed. Install it: ${installCommand}`,
          late: 'eSpeak NG did not finish a text in one minute.',
          tooMuch: 'eSpeak NG returned much more speech than the text needs.',
        },
      });
      if (!hasSucceeded) throw internalError('eSpeak NG stopped with an error.', new Error(log.slice(-2000)));
      // For a text without words, eSpeak writes nothing.
      const sound = output.length === 0 ? silence : readWav(output);
      if (sound === null) throw internalError('eSpeak NG returned a file that is not speech.');
      return { ...sound, words: [], characters: [...text].length };
    },
  };
}

const silence = { samples: new Int16Array(0), sample_rate: 22_050 };

/** eSpeak reads `[[…]]` as phonemes. */
const withoutPhonemes = (text: string) => text.replace(/\[(?=\[)/g, '[ ');

function argumentsFor({ language, voice: id, rate }: SpeechRequest): string[] {
  const name = espeakName(language);
  const voice = espeakVoices.find((one) => one.id === id);
  if (name === null) throw unsupported(language);
  if (voice === undefined) throw internalError(`eSpeak NG has no voice "${id}".`);
  return [
    ...['-v', `${name}+${voice.variant}`, '-p', String(voice.pitch)],
    // `-z` means no pause after the last sentence. `-b 1` means UTF-8.
    ...['-s', String(Math.round(DEFAULT_RATE * rate)), '-z', '-b', '1', '--stdin', '--stdout'],
  ];
}

const unsupported = (language: string) =>
  languageUnsupported(
    `eSpeak NG does not speak "${language}". ` +
      'Choose a language whose `features` in `GET /v1/languages` include voice_over.',
  );
