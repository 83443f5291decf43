import { LanguageCode, PollyClient, SynthesizeSpeechCommand, VoiceId } from '@aws-sdk/client-polly';
import { beforeEach, describe, expect, it } from 'vitest';
import { amazonPolly, pollySpeech } from '../../../engines/speech/aws-polly.ts';
import { pollyLanguages, pollyVoices } from '../../../engines/speech/aws-polly-voices.ts';
import { service, simulate } from './polly-stand-in.ts';

const client = new PollyClient({ region: 'eu-central-1' });
const engine = (word_times = false) => pollySpeech({ client, word_times });
const lucia = { language: 'es', voice: 'Lucia', rate: 1 };
const calls = () => service.commandCalls(SynthesizeSpeechCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  service.reset();
  simulate();
});

describe('Amazon Polly', () => {
  it('receives escaped SSML with the rate, for a neural voice at 16 kHz', async () => {
    await engine().speak('Sí & <no>', { ...lucia, rate: 1.25 });
    expect(calls()).toEqual([
      {
        Engine: 'neural',
        VoiceId: 'Lucia',
        LanguageCode: 'es-ES',
        TextType: 'ssml',
        Text: '<speak><prosody rate="125%">Sí &amp; &lt;no&gt;</prosody></speak>',
        OutputFormat: 'pcm',
        SampleRate: '16000',
      },
    ]);
  });

  it('receives no characters that XML does not allow, because it would reject the text', async () => {
    await engine().speak('Uno\ufffe dos\uffff\u0001 tres', lucia);
    expect(calls()[0]!.Text).toContain('>Uno dos tres<');
  });

  it('receives long texts in parts that end with sentences and respect its quotas', async () => {
    const text = 'Una frase con "comillas" & más, que es bastante larga. '.repeat(120);
    const { samples, characters } = await engine().speak(text, lucia);
    expect(calls().length).toBeLessThan(5);
    for (const { Text } of calls()) expect(Text).toMatch(/larga\. ?<\/prosody>/);
    expect(characters).toBeGreaterThan(text.length - 10);
    expect(samples.length / 16).toBeGreaterThan(characters * 60);
  });

  it('returns word times over all parts, if the setting is on', async () => {
    const { words, characters } = await engine(true).speak('uno dos tres. '.repeat(300), lucia);
    expect(words).toHaveLength(900);
    expect(words[1]).toEqual({ text: 'dos', start_ms: 340, end_ms: 580 });
    expect(
      words.every(
        ({ start_ms, end_ms }, at) => end_ms > start_ms && start_ms >= (words[at - 1]?.end_ms ?? 0),
      ),
    ).toBe(true);
    expect(characters).toBeGreaterThan(8000);
  });

  it('declares only voices and languages of the service', () => {
    for (const language of pollyLanguages)
      for (const { id, code } of pollyVoices(language)) {
        expect(Object.keys(VoiceId)).toContain(id);
        expect(Object.values(LanguageCode)).toContain(code);
      }
  });

  it('prefers the requested accent, and supports other tags for Norwegian and Chinese', () => {
    const first = (language: string) => pollyVoices(language)[0]?.id;
    expect(['en', 'en-GB', 'es-MX', 'es', 'pt-BR', 'nb', 'no', 'zh-TW', 'zh-HK'].map(first)).toEqual([
      ...['Joanna', 'Amy', 'Mia', 'Lucia', 'Camila', 'Ida', 'Ida', 'Zhiyu', 'Hiujin'],
    ]);
  });

  it('is retried for minutes if the quota of the account is used up', async () => {
    process.env.AWS_REGION ??= 'eu-central-1';
    const made = await amazonPolly.make({ settings: { POLLY_WORD_TIMES: 'off' } } as never);
    await made.speak('Hola.', lucia);
    const { config } = service.commandCalls(SynthesizeSpeechCommand)[0]!.thisValue as PollyClient;
    expect(await config.maxAttempts()).toBe(10);
    // The engine slows down after throttling, so that requests are not rejected.
    expect((await config.retryStrategy()) as { mode?: string }).toMatchObject({ mode: 'adaptive' });
  });
});
