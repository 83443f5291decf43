/** ElevenLabs, or whoever answers as its API does: voices made of samples, by HTTP. Used only where its settings are given. */

import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  languageUnsupported,
  providerThrottled,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import { readable } from '../speech/speakable-text.ts';
import { type VoiceCloningEngine, voiceCloningEngine } from './port.ts';

/** "Models", of its documentation: what eleven_multilingual_v2 speaks. */
export const cloningLanguages =
  'en ja zh de hi fr ko pt it es id nl tr tl fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru'.split(' ');

export const cloningUrl = {
  description: 'Address of a service with the API of ElevenLabs, such as https://api.elevenlabs.io',
};

/** On a laptop: its key is a variable of the shell, as programs have it. */
export const elevenLabs = voiceCloningEngine({
  name: 'elevenlabs',
  runs: ['local'],
  languages: cloningLanguages,
  settings: {
    VOICE_CLONING_URL: cloningUrl,
    VOICE_CLONING_KEY: { description: 'Key for that service, sent as xi-api-key', secret: true },
  },
  permissions: {},
  make: ({ settings }) =>
    cloning({ url: settings.VOICE_CLONING_URL, key: async () => settings.VOICE_CLONING_KEY }),
});

const MODEL = 'eleven_multilingual_v2';
/** PCM of 16 bit, mono, little endian; higher rates need another subscription. */
const SAMPLE_RATE = 24_000;
/** The fastest that `voice_settings.speed` takes; what is missing is done by tempo. */
const MOST_SPEED = 1.2;
const TIMEOUT_MS = 120_000;
/** Twenty minutes of speech. */
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
      const answer = await ask(access, 'v1/voices/add', { method: 'POST', body: form }, signal);
      const { voice_id } = membersOf(await bytesOf(answer));
      if (!voice_id) throw internalError('The voice cloning service made a voice and did not say which.');
      return voice_id;
    },
    async speak(text, { voice, rate, signal }) {
      const spoken = readable(text);
      const path = `v1/text-to-speech/${encodeURIComponent(voice)}?output_format=pcm_${SAMPLE_RATE}`;
      const body = JSON.stringify({
        text: spoken,
        model_id: MODEL,
        voice_settings: { speed: Math.min(MOST_SPEED, rate) },
      });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await ask(access, path, { method: 'POST', headers, body }, signal);
      const bytes = await bytesOf(answer);
      // Else a sentence without its voice would pass for spoken, and be kept. Samples have 16 bits.
      if (bytes.length === 0 || bytes.length % 2 === 1) throw brokenOff();
      const samples = samplesOf(bytes);
      const billed = Number(answer.headers.get('character-cost') ?? Number.NaN);
      const characters = Number.isFinite(billed) ? billed : [...spoken].length;
      return { samples, sample_rate: SAMPLE_RATE, words: [], characters };
    },
    async discard(voice, { signal } = {}) {
      const path = `v1/voices/${encodeURIComponent(voice)}`;
      await ask(access, path, { method: 'DELETE' }, signal, [404]);
    },
  };
}

/** @param fine statuses that are no errors, beside those of success */
async function ask(
  { url, key }: Access,
  path: string,
  request: RequestInit,
  signal: AbortSignal | undefined,
  fine: readonly number[] = [],
): Promise<Response> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { ...request.headers, 'xi-api-key': await key() };
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  // A key must not follow to where the service sends us.
  const asked = { ...request, headers, redirect: 'error' as const, signal: ending };
  const answer = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), asked).catch((error) => {
    signal?.throwIfAborted();
    throw providerUnavailable('The voice cloning service does not answer at the moment.', error);
  });
  if (answer.ok || fine.includes(answer.status)) return answer;
  throw refusal(answer.status, await answer.text().catch(() => ''));
}

async function bytesOf(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of answer.body ?? []) {
      bytes += piece.length;
      if (bytes > MAX_ANSWER_BYTES)
        throw internalError('The voice cloning service answered with far more than was asked for.');
      pieces.push(piece);
    }
  } catch (error) {
    // What `fetch` throws where the connection breaks.
    throw error instanceof TypeError ? brokenOff(error) : error;
  }
  return Buffer.concat(pieces);
}

function membersOf(body: Buffer): { readonly voice_id?: string } {
  try {
    return (JSON.parse(body.toString('utf8')) as { voice_id?: string } | null) ?? {};
  } catch (error) {
    throw brokenOff(error);
  }
}

const brokenOff = (cause?: unknown) =>
  providerUnavailable('An answer of the voice cloning service broke off.', cause);

function refusal(status: number, said: string): JobError {
  const cause = new Error(`${status}: ${said.slice(0, 2000)}`);
  if (status === 401 || status === 403)
    return engineUnavailable(
      'The voice cloning service does not accept the key that this environment has.',
      cause,
    );
  if (status === 429)
    return providerThrottled('The voice cloning service takes no more requests at the moment.', cause);
  if (status >= 500)
    return providerUnavailable('The voice cloning service fails by itself at the moment.', cause);
  if (/language/i.test(said))
    return languageUnsupported('The voice cloning service does not speak this language.', cause);
  return internalError(
    'The voice cloning service refused a request. Its reason is in the log of this environment.',
    cause,
  );
}
