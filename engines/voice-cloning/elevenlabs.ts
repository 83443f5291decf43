/** ElevenLabs, or another service with the same HTTP API. `ENGINE_VOICE_CLONING=elevenlabs` */
import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';
import { collectBytes } from '../../shared/collect-bytes.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  languageUnsupported,
  providerThrottled,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import { toSpeakableText } from '../speech/speakable-text.ts';
import { type VoiceCloningEngine, voiceCloningEngine } from './port.ts';

/** The languages of eleven_multilingual_v2 ("Models" in the documentation of ElevenLabs). */
export const cloningLanguages =
  'en ja zh de hi fr ko pt it es id nl tr tl fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru'.split(' ');

export const cloningUrl = {
  description: 'URL of a service with the API of ElevenLabs, such as https://api.elevenlabs.io',
};

/** The variant for a laptop: the API key is an environment variable. */
export const elevenLabs = voiceCloningEngine({
  name: 'elevenlabs',
  runs: ['local'],
  languages: cloningLanguages,
  settings: {
    VOICE_CLONING_URL: cloningUrl,
    VOICE_CLONING_KEY: { description: 'API key of that service, sent as xi-api-key', secret: true },
  },
  make: ({ settings }) =>
    cloning({ url: settings.VOICE_CLONING_URL, key: async () => settings.VOICE_CLONING_KEY }),
});

const MODEL = 'eleven_multilingual_v2';
/** The sample rate, hertz. The service returns 16-bit little endian mono PCM. Higher rates need a more expensive subscription. */
const SAMPLE_RATE = 24_000;
/** The maximum of `voice_settings.speed`. For a higher speed, Kinora speeds up the audio itself. */
const MAX_SPEED = 1.2;
const TIMEOUT_MS = 120_000;
/** The maximum size of an answer, bytes: twenty minutes of speech. */
const MAX_ANSWER_BYTES = 64 << 20;

interface Access {
  readonly url: string;
  readonly key: () => Promise<string>;
}

export function cloning(access: Access): VoiceCloningEngine {
  return {
    async clone(name, samples, { signal } = {}) {
      const form = new FormData();
      form.set('name', name);
      form.set('files', new Blob([Uint8Array.from(samples)], { type: 'audio/wav' }), 'sample.wav');
      const answer = await ask(access, { path: 'v1/voices/add', method: 'POST', body: form, signal });
      const voice_id = voiceIdIn(await readBody(answer));
      if (voice_id === null)
        throw internalError('The voice cloning service returned no id for the new voice.');
      return voice_id;
    },
    async speak(text, { voice, rate, signal }) {
      const spoken = toSpeakableText(text);
      const path = `v1/text-to-speech/${encodeURIComponent(voice)}?output_format=pcm_${SAMPLE_RATE}`;
      const body = JSON.stringify({
        text: spoken,
        model_id: MODEL,
        voice_settings: { speed: Math.min(MAX_SPEED, rate) },
      });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await ask(access, { path, method: 'POST', headers, body, signal });
      const bytes = await readBody(answer);
      // An empty sound must not be stored as speech. An odd number of bytes is incomplete: samples have 16 bits.
      if (bytes.length === 0 || bytes.length % 2 === 1) throw incomplete();
      const samples = samplesOf(bytes);
      const billed = Number(answer.headers.get('character-cost') ?? Number.NaN);
      const characters = Number.isFinite(billed) ? billed : [...spoken].length;
      return { samples, sample_rate: SAMPLE_RATE, words: [], characters };
    },
    async discard(voice, { signal } = {}) {
      const path = `v1/voices/${encodeURIComponent(voice)}`;
      await ask(access, { path, method: 'DELETE', signal, accepted: [404] });
    },
  };
}

interface ServiceRequest extends Pick<RequestInit, 'method' | 'headers' | 'body'> {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  /** Statuses that are not errors, in addition to 2xx. */
  readonly accepted?: readonly number[];
}

async function ask({ url, key }: Access, { path, signal, accepted = [], ...request }: ServiceRequest) {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
    ...request,
    headers: { ...request.headers, 'xi-api-key': await key() },
    // The API key must not be sent to the address of a redirect.
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }).catch((error) => {
    signal?.throwIfAborted();
    throw providerUnavailable('The voice cloning service does not answer.', error);
  });
  if (answer.ok || accepted.includes(answer.status)) return answer;
  throw toJobError(answer.status, await answer.text().catch(() => ''));
}

const readBody = (answer: Response): Promise<Buffer> =>
  collectBytes(answer.body ?? [], MAX_ANSWER_BYTES, tooMuch).catch((error: unknown) => {
    // `fetch` throws a TypeError if the connection is lost.
    throw error instanceof TypeError ? incomplete(error) : error;
  });

const tooMuch = () => internalError('The voice cloning service returned much more data than expected.');

function voiceIdIn(body: Buffer): string | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (parsed === null || typeof parsed !== 'object' || !('voice_id' in parsed)) return null;
    return typeof parsed.voice_id === 'string' && parsed.voice_id !== '' ? parsed.voice_id : null;
  } catch (error) {
    throw incomplete(error);
  }
}

const incomplete = (cause?: unknown) =>
  providerUnavailable('The response of the voice cloning service is incomplete.', cause);

function toJobError(status: number, body: string): JobError {
  const cause = new Error(`${status}: ${body.slice(0, 2000)}`);
  if (status === 401 || status === 403)
    return engineUnavailable(
      'The voice cloning service does not accept the API key of this environment.',
      cause,
    );
  if (status === 429) return providerThrottled('The voice cloning service is throttling requests.', cause);
  if (status >= 500) return providerUnavailable('The voice cloning service has failed.', cause);
  if (/language/i.test(body))
    return languageUnsupported('The voice cloning service does not speak this language.', cause);
  return internalError(
    'The voice cloning service rejected a request. The reason is in the log of this environment.',
    cause,
  );
}
