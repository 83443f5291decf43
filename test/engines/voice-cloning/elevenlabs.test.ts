import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { voice_cloning } from '../../../engines/registry.ts';
import { choose } from '../../../engines/selection.ts';
import { decrypted } from '../../../engines/voice-cloning/aws-elevenlabs.ts';
import { elevenLabs } from '../../../engines/voice-cloning/elevenlabs.ts';
import { listening } from '../../support/listening.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

interface Answer {
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

let serving: Awaited<ReturnType<typeof listening>> | null = null;
afterEach(() => serving?.close());

/**
 * Answers requests with the documented answers of the service. Nothing reaches the real service, so it does not prove
 * that the service still behaves so.
 */
async function serviceOf(answer: Answer) {
  const asked: Asked[] = [];
  serving = await listening(async (request, response) => {
    asked.push(await heard(request));
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  const url = `${serving.url}/api`;
  const engine = await elevenLabs.make({ settings: { VOICE_CLONING_URL: url, VOICE_CLONING_KEY: 'secret' } });
  return { engine, asked };
}

async function heard(request: IncomingMessage): Promise<Asked> {
  const { method = '', url = '', headers } = request;
  const [key, type] = [headers['xi-api-key'] as string, headers['content-type']];
  return { method, url, key, type, body: await text(request) };
}

const spanish = { language: 'es', voice: 'a/b', rate: 1.5 };

describe('cloned voices', () => {
  it('are rejected with a clear reason if no service is configured', () => {
    const url = { VOICE_CLONING_URL: 'https://voices.example' };
    for (const [ENGINES, key] of [
      ['local', 'VOICE_CLONING_KEY'],
      ['aws', 'VOICE_CLONING_CIPHERTEXT'],
    ] as const) {
      expect(choose('voice_cloning', voice_cloning, { ENGINES })).toMatchObject({
        status: 'unavailable',
        reason: expect.stringMatching(new RegExp(`VOICE_CLONING_URL .* and ${key}`)),
      });
      const set = { ENGINES, ...url, [key]: 'k' };
      expect(choose('voice_cloning', voice_cloning, set).status).toBe('available');
    }
  });

  it('have an API key that KMS decrypts once, only for this purpose', async () => {
    const mock = mockClient(KMSClient);
    const CiphertextBlob = Buffer.from('wrapped');
    const EncryptionContext = { purpose: 'voice-cloning' };
    mock
      .on(DecryptCommand, { CiphertextBlob, EncryptionContext })
      .rejectsOnce(new Error('throttled'))
      .resolves({ Plaintext: Buffer.from('secret\n') });
    const key = decrypted(new KMSClient({}), CiphertextBlob.toString('base64'));
    await expect(key()).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect([await key(), await key()]).toEqual(['secret', 'secret']);
    expect(mock.commandCalls(DecryptCommand)).toHaveLength(2);
    mock.restore();
  });

  it('speak as fast as the service allows', async () => {
    const samples = new Uint8Array([1, 0, 255, 255, 0, 1]);
    const { engine, asked } = await serviceOf({ body: samples, headers: { 'character-cost': '9' } });
    const speech = await engine.speak('Hola 👋\u0000 & <adiós>', spanish);
    expect(speech).toEqual({
      samples: new Int16Array([1, -1, 256]),
      sample_rate: 24_000,
      words: [],
      characters: 9,
    });
    expect(asked).toMatchObject([
      { method: 'POST', url: '/api/v1/text-to-speech/a%2Fb?output_format=pcm_24000', key: 'secret' },
    ]);
    expect(JSON.parse(asked[0]!.body)).toEqual({
      text: 'Hola & <adiós>',
      model_id: 'eleven_multilingual_v2',
      voice_settings: { speed: 1.2 },
    });
  });

  it('are made from samples, and deleted', async () => {
    const { engine, asked } = await serviceOf({ body: '{"voice_id":"v1","requires_verification":false}' });
    expect(await engine.clone('Ana', new TextEncoder().encode('RIFF…'))).toBe('v1');
    await engine.discard('v1');
    expect(asked).toMatchObject([
      { method: 'POST', url: '/api/v1/voices/add', type: expect.stringContaining('multipart/form-data') },
      { method: 'DELETE', url: '/api/v1/voices/v1', key: 'secret' },
    ]);
    expect(asked[0]!.body).toMatch(/name="name"\s+Ana[\s\S]*name="files"; filename="sample.wav"[\s\S]*RIFF…/);
  });

  it('can be deleted twice', async () => {
    const { engine } = await serviceOf({ status: 404, body: '{}' });
    await expect(engine.discard('v1')).resolves.toBeUndefined();
  });

  it.each([
    [401, 'engine_unavailable'],
    [429, 'provider_throttled'],
    [503, 'provider_unavailable'],
    [422, 'internal_error'],
    [307, 'provider_unavailable'],
  ])('report status %d as %s, and do not send the API key to a redirect', async (status, name) => {
    const { engine, asked } = await serviceOf({ status, body: '{}', headers: { location: '/elsewhere' } });
    await expect(engine.speak('Hola', spanish)).rejects.toMatchObject({ name });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['nothing', {}],
    ['half a sample', { body: new Uint8Array([1]) }],
    [
      'an answer shorter than its content-length',
      { body: new Uint8Array([1, 0]), headers: { 'content-length': '4' } },
    ],
  ])('do not accept %s as speech', async (_, answer: Answer) => {
    const { engine } = await serviceOf(answer);
    setTimeout(() => serving?.server.closeAllConnections(), 300);
    await expect(engine.speak('Hola', spanish)).rejects.toMatchObject({ name: 'provider_unavailable' });
  });

  it('can be retried if the answer is not JSON', async () => {
    const { engine } = await serviceOf({ body: '<html>' });
    await expect(engine.clone('Ana', new Uint8Array())).rejects.toMatchObject({
      name: 'provider_unavailable',
    });
  });

  it('throw the reason of the signal if they are aborted', async () => {
    const { engine } = await serviceOf({});
    const canceled = new Error('canceled');
    const aborted = { ...spanish, signal: AbortSignal.abort(canceled) };
    await expect(engine.speak('Hola', aborted)).rejects.toBe(canceled);
  });
});
