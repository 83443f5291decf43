/** eSpeak NG, a package of Debian and Ubuntu: small and fast, but it sounds like a machine. `ENGINE_SPEECH=espeak-ng` */
import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';
import { internalError, languageUnsupported } from '../../shared/job-errors.ts';
import { primarySubtag } from '../engine.ts';
import { runProgram } from '../run-program.ts';
import { type SpeechEngine, type SpeechRequest, speechEngine, type Voice } from './port.ts';
import { toSpeakableText } from './speakable-text.ts';

/**
 * The languages that version 1.51 (Debian 12, Ubuntu 24.04) speaks understandably. Not in the list: Japanese and Hakka, because
 * eSpeak reads their characters as "Chinese letter"; Thai, Burmese, Hebrew and Cherokee, because eSpeak reads only their letters or
 * consonants; and constructed languages without a tag.
 */
export const espeakLanguages = (
  'af am an ar as az ba be bg bn bpy bs ca cs cv cy da de el en en-GB eo es es-419 et eu fa fi fr fr-BE fr-CH ga gd gn grc gu ' +
  'haw hi hr ht hu hy hyw ia id io is it ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt nci ne nl no nog om ' +
  'or pa pap pl pt pt-BR qu quc ro ru sd shn si sk sl smj sq sr sv sw ta te tk tn tr tt ug uk ur uz vi yue zh zh-TW'
).split(' ');

/** scripts/bootstrap/engines.mjs installs the same package as this command. */
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

interface EspeakVoice extends Voice {
  readonly variant: string;
  /** Pitch from 0 to 99. The default of the variant is 50. */
  readonly pitch: number;
}

/** Voices that are easy to understand and to distinguish. `pitch_hz` was measured, with an error of up to 3 Hz. */
export const espeakVoices: readonly EspeakVoice[] = [
  { id: 'f2', variant: 'f2', pitch: 50, gender: 'female', pitch_hz: 195 },
  { id: 'm3', variant: 'm3', pitch: 50, gender: 'male', pitch_hz: 105 },
  { id: 'f3-high', variant: 'f3', pitch: 65, gender: 'female', pitch_hz: 242 },
  { id: 'm7-high', variant: 'm7', pitch: 65, gender: 'male', pitch_hz: 123 },
  { id: 'f2-low', variant: 'f2', pitch: 35, gender: 'female', pitch_hz: 170 },
  { id: 'm2-low', variant: 'm2', pitch: 35, gender: 'male', pitch_hz: 85 },
  { id: 'f3', variant: 'f3', pitch: 50, gender: 'female', pitch_hz: 212 },
  { id: 'm3-high', variant: 'm3', pitch: 80, gender: 'male', pitch_hz: 142 },
];

/** The names of eSpeak that differ from the tag. With the name "cmn", eSpeak would read Chinese as pinyin with English sounds. */
const names: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  no: 'nb',
  nn: 'nb',
  zh: 'cmn-latn-pinyin',
  cmn: 'cmn-latn-pinyin',
  'zh-hk': 'yue',
  'zh-mo': 'yue',
};

/** Countries whose English is closer to British than to American English. */
const BRITISH = /^en-(?:gb|ie|au|nz|za|in)$/;
const AMERICAN_SPANISH = /^es-(?!es$)/;

const known = new Set([...espeakLanguages.map((tag) => tag.toLowerCase()), ...Object.keys(names)]);

/** Returns eSpeak's name for a BCP 47 tag. Null if eSpeak does not speak the language. */
export function espeakName(tag: string): string | null {
  const lower = tag.toLowerCase();
  if (BRITISH.test(lower)) return 'en-gb';
  if (AMERICAN_SPANISH.test(lower)) return 'es-419';
  const found = [lower, primarySubtag(tag)].find((one) => known.has(one));
  if (found === undefined) return null;
  return names[found] ?? names[primarySubtag(found)] ?? found;
}

interface Sound {
  readonly samples: Int16Array;
  readonly sample_rate: number;
}

/** Returns null unless the file is 16-bit mono PCM. Ignores the length in the header: a program that writes to a pipe does not know it. */
export function readWav(file: Buffer): Sound | null {
  const isWav = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 16) === 'WAVEfmt ';
  if (!isWav || file.length < 44) return null;
  const [format, channels, bits] = [file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt16LE(34)];
  if (format !== 1 || channels !== 1 || bits !== 16) return null;
  let at = 20 + file.readUInt32LE(16);
  while (at + 8 <= file.length && file.toString('latin1', at, at + 4) !== 'data')
    at += 8 + file.readUInt32LE(at + 4);
  if (at + 8 > file.length) return null;
  const end = Math.min(file.length, at + 8 + file.readUInt32LE(at + 4));
  return { samples: samplesOf(file.subarray(at + 8, end)), sample_rate: file.readUInt32LE(24) };
}
