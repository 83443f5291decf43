/** Amazon Polly: neural voices, faster by SSML. */
import {
  PollyClient,
  SynthesizeSpeechCommand,
  type SynthesizeSpeechCommandInput,
} from '@aws-sdk/client-polly';
import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';
import {
  internalError,
  type JobError,
  languageUnsupported,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import { holdingBack, patience, refusalBy, type ServiceError } from '../aws/requests.ts';
import { type PollyVoice, pollyLanguages, pollyVoices } from './aws-polly-voices.ts';
import { type Speech, type SpeechEngine, type SpeechRequest, type SpokenWord, speechEngine } from './port.ts';
import { isSpeakable, readable } from './speakable-text.ts';
import { inParts } from './split-text.ts';

export const amazonPolly = speechEngine({
  name: 'amazon-polly',
  runs: ['aws'],
  // Neural voices.
  price: { per: 'million_characters', usd: 16, source: 'https://aws.amazon.com/polly/pricing/' },
  languages: pollyLanguages,
  settings: {
    POLLY_WORD_TIMES: {
      description:
        'Anything but "off" asks for the times of words as well, which is billed as if all was spoken twice and which voice over does without',
      default: 'off',
    },
  },
  quotas: { speak: 'pollyPerSecond' },
  permissions: {
    speak: [
      {
        actions: ['polly:SynthesizeSpeech'],
        resources: ['*'],
        why: 'SynthesizeSpeech has no resource to name but lexicons.',
      },
    ],
  },
  make: ({ settings }) =>
    pollySpeech({
      client: new PollyClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) }),
      word_times: settings.POLLY_WORD_TIMES !== 'off',
    }),
});

/** How long an answer may take, ms. */
const ANSWER_MS = 30_000;

export interface AmazonPollyParts {
  readonly client: Pick<PollyClient, 'send'>;
  readonly word_times: boolean;
}

/** The highest rate of PCM (API_SynthesizeSpeech, SampleRate). */
const SAMPLE_RATE = 16_000;
/** Quotas of SynthesizeSpeech, with some room: 3,000 billed characters, 6,000 with tags. */
const MAX_BILLED = 2900;
const MAX_CHARACTERS = 5800;

export function pollySpeech(parts: AmazonPollyParts): SpeechEngine {
  return {
    voices: (language) => pollyVoices(language).map(({ code: _, ...voice }) => voice),
    async speak(text, request) {
      request.signal?.throwIfAborted();
      const voice = voiceOf(request);
      const spoken: Speech[] = [];
      for (const part of inParts(readable(text), 1, share).filter(isSpeakable)) {
        spoken.push(await speakPart(parts, part, voice, request));
      }
      return joined(spoken);
    },
  };
}

/** What of a request's room a text takes. */
const share = (text: string) => Math.max(text.length / MAX_BILLED, ssml(text, 1.5).length / MAX_CHARACTERS);

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
  };
  const ask = async (more: Partial<SynthesizeSpeechCommandInput>) => {
    const command = new SynthesizeSpeechCommand({ ...common, ...more } as SynthesizeSpeechCommandInput);
    try {
      const { AudioStream, RequestCharacters = text.length } = await client.send(
        command,
        signal ? { abortSignal: signal } : {},
      );
      return { bytes: await AudioStream?.transformToByteArray(), characters: RequestCharacters };
    } catch (error) {
      signal?.throwIfAborted();
      throw refusal(error as ServiceError, language);
    }
  };
  const sound = await ask({ OutputFormat: 'pcm', SampleRate: String(SAMPLE_RATE) });
  // Else a sentence without its voice would pass for spoken, and be kept. Samples have 16 bits.
  const { bytes } = sound;
  if (bytes === undefined || bytes.length === 0 || bytes.length % 2 === 1) throw brokenOff();
  const samples = samplesOf(bytes);
  if (!word_times) return { samples, sample_rate: SAMPLE_RATE, words: [], characters: sound.characters };
  const marks = await ask({ OutputFormat: 'json', SpeechMarkTypes: ['word'] });
  const words = wordsOf(Buffer.from(marks.bytes ?? []).toString('utf8'), durationOf(samples));
  return { samples, sample_rate: SAMPLE_RATE, words, characters: sound.characters + marks.characters };
}

/** Neural voices obey `rate`, 20 to 200 per cent ("Supported SSML tags"). */
const ssml = (text: string, rate: number) =>
  `<speak><prosody rate="${Math.round(100 * rate)}%">${escaped(text)}</prosody></speak>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** "Reserved characters in SSML", of the Developer Guide. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign]!);

const durationOf = (samples: Int16Array) => Math.round((samples.length * 1000) / SAMPLE_RATE);

/** Speech marks, an object a line: `{"time":6,"type":"word","start":0,"end":4,"value":"Mary"}`; a word lasts until the next begins. */
function wordsOf(lines: string, end_ms: number): SpokenWord[] {
  const marks = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(markIn)
    .filter(({ type }) => type === 'word');
  return marks.map(({ time, value }, at) => ({
    text: value,
    start_ms: time,
    end_ms: Math.max(time, marks[at + 1]?.time ?? end_ms),
  }));
}

function markIn(line: string): { time: number; type: string; value: string } {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw brokenOff(error);
  }
}

/** Parts of one text, one behind the other. */
function joined(spoken: readonly Speech[]): Speech {
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

const brokenOff = (cause?: unknown) => providerUnavailable('An answer of Amazon Polly broke off.', cause);

function refusal(error: ServiceError, language: string): JobError {
  if (/^(?:LanguageNotSupported|EngineNotSupported)/.test(error.name)) return unsupported(language);
  return refusalBy('Amazon Polly', 'a text', error);
}
