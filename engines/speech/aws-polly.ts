/** Amazon Polly: neural voices, whose speed SSML controls. `ENGINE_SPEECH=amazon-polly` */
import {
  PollyClient,
  SynthesizeSpeechCommand,
  type SynthesizeSpeechCommandInput,
} from '@aws-sdk/client-polly';
import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';
import { internalError, languageUnsupported, providerUnavailable } from '../../shared/job-errors.ts';
import { holdingBack, patience, requestsTo } from '../aws/requests.ts';
import { splitText } from '../split-text.ts';
import { type PollyVoice, pollyLanguages, pollyVoices } from './aws-polly-voices.ts';
import { type Speech, type SpeechEngine, type SpeechRequest, type SpokenWord, speechEngine } from './port.ts';
import { isSpeakable, toSpeakableText } from './speakable-text.ts';

export const amazonPolly = speechEngine({
  name: 'amazon-polly',
  runs: ['aws'],
  price: { per: 'million_characters', usd: 16, source: 'https://aws.amazon.com/polly/pricing/' },
  languages: pollyLanguages,
  settings: {
    POLLY_WORD_TIMES: {
      description:
        'Any value except "off" also requests word times. Amazon bills each text twice then, and voice over does not need the times',
      default: 'off',
    },
  },
  quotas: { speak: 'pollyPerSecond' },
  permissions: {
    speak: [
      {
        actions: ['polly:SynthesizeSpeech'],
        resources: ['*'],
        why: 'SynthesizeSpeech has no resources except lexicons, which Kinora does not use.',
      },
    ],
  },
  make: ({ settings }) =>
    pollySpeech({
      client: new PollyClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) }),
      word_times: settings.POLLY_WORD_TIMES !== 'off',
    }),
});

const ANSWER_MS = 30_000;

export interface AmazonPollyParts {
  readonly client: Pick<PollyClient, 'send'>;
  readonly word_times: boolean;
}

/** The sample rate, hertz: the maximum for PCM (API_SynthesizeSpeech, SampleRate). */
const SAMPLE_RATE = 16_000;
/** Slightly below the quotas of SynthesizeSpeech: 3,000 billed characters, and 6,000 characters including SSML tags. */
const MAX_BILLED = 2900;
const MAX_CHARACTERS = 5800;

export function pollySpeech(parts: AmazonPollyParts): SpeechEngine {
  return {
    voices: (language) => pollyVoices(language).map(({ code: _, ...voice }) => voice),
    async speak(text, request) {
      request.signal?.throwIfAborted();
      const voice = voiceOf(request);
      const spoken: Speech[] = [];
      for (const part of splitText(toSpeakableText(text), 1, shareOfRequest).filter(isSpeakable)) {
        spoken.push(await speakPart(parts, part, voice, request));
      }
      return joinSpeech(spoken);
    },
  };
}

const shareOfRequest = (text: string) =>
  Math.max(text.length / MAX_BILLED, ssml(text, 1.5).length / MAX_CHARACTERS);

function voiceOf({ language, voice: id }: SpeechRequest): PollyVoice {
  const voices = pollyVoices(language);
  const voice = voices.find((one) => one.id === id);
  if (voices.length === 0) throw unsupported(language);
  if (voice === undefined) throw internalError(`Amazon Polly has no voice "${id}" for "${language}".`);
  return voice;
}

const unsupported = (language: string) =>
  languageUnsupported(
    `Amazon Polly has no neural voice for "${language}". ` +
      'Choose a language whose `features` in `GET /v1/languages` include voice_over.',
  );

const askPolly = requestsTo('Amazon Polly', 'a text');

async function speakPart(
  { client, word_times }: AmazonPollyParts,
  text: string,
  { id, code }: PollyVoice,
  { rate, signal, language }: SpeechRequest,
): Promise<Speech> {
  const common = {
    Engine: 'neural',
    VoiceId: id,
    LanguageCode: code,
    TextType: 'ssml',
    Text: ssml(text, rate),
  } as const;
  const ask = (
    output: Pick<SynthesizeSpeechCommandInput, 'OutputFormat' | 'SampleRate' | 'SpeechMarkTypes'>,
  ) =>
    askPolly(
      async (options) => {
        const command = new SynthesizeSpeechCommand({ ...common, ...output });
        const { AudioStream, RequestCharacters = text.length } = await client.send(command, options);
        return { bytes: await AudioStream?.transformToByteArray(), characters: RequestCharacters };
      },
      {
        signal,
        onError({ name }) {
          if (/^(?:LanguageNotSupported|EngineNotSupported)/.test(name)) throw unsupported(language);
          return undefined;
        },
      },
    );
  const sound = await ask({ OutputFormat: 'pcm', SampleRate: String(SAMPLE_RATE) });
  // An empty sound must not be stored as speech. An odd number of bytes is incomplete: samples have 16 bits.
  const { bytes } = sound;
  if (bytes === undefined || bytes.length === 0 || bytes.length % 2 === 1) throw incomplete();
  const samples = samplesOf(bytes);
  if (!word_times) return { samples, sample_rate: SAMPLE_RATE, words: [], characters: sound.characters };
  const marks = await ask({ OutputFormat: 'json', SpeechMarkTypes: ['word'] });
  const words = wordsOf(Buffer.from(marks.bytes ?? []).toString('utf8'), durationOf(samples));
  return { samples, sample_rate: SAMPLE_RATE, words, characters: sound.characters + marks.characters };
}

/** Neural voices support `rate` from 20 to 200 percent ("Supported SSML tags"). */
const ssml = (text: string, rate: number) =>
  `<speak><prosody rate="${Math.round(100 * rate)}%">${escapeSsml(text)}</prosody></speak>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Developer Guide, "Reserved characters in SSML". */
const escapeSsml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const durationOf = (samples: Int16Array) => Math.round((samples.length * 1000) / SAMPLE_RATE);

/** Reads speech marks, one object per line: `{"time":6,"type":"word","start":0,"end":4,"value":"Mary"}`. */
function wordsOf(lines: string, end_ms: number): SpokenWord[] {
  const marks = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseMark)
    .filter(({ type }) => type === 'word');
  return marks.map(({ time, value }, at) => ({
    text: value,
    start_ms: time,
    end_ms: Math.max(time, marks[at + 1]?.time ?? end_ms),
  }));
}

function parseMark(line: string): { time: number; type: string; value: string } {
  try {
    const { time, type, value } = JSON.parse(line);
    return { time: Number(time), type: String(type), value: String(value) };
  } catch (error) {
    throw incomplete(error);
  }
}

function joinSpeech(spoken: readonly Speech[]): Speech {
  const samples = new Int16Array(spoken.reduce((sum, part) => sum + part.samples.length, 0));
  const words: SpokenWord[] = [];
  let at = 0;
  for (const part of spoken) {
    samples.set(part.samples, at);
    const offset_ms = Math.round((at * 1000) / SAMPLE_RATE);
    for (const { text, start_ms, end_ms } of part.words)
      words.push({ text, start_ms: start_ms + offset_ms, end_ms: end_ms + offset_ms });
    at += part.samples.length;
  }
  const characters = spoken.reduce((sum, part) => sum + part.characters, 0);
  return { samples, sample_rate: SAMPLE_RATE, words, characters };
}

const incomplete = (cause?: unknown) =>
  providerUnavailable('The response of Amazon Polly is incomplete.', cause);
