/**
 * A stand-in for Amazon Polly (aws-sdk-client-mock) with the documented answers of SynthesizeSpeech. Nothing reaches
 * AWS, so it does not prove that AWS still behaves as documented.
 */
import { PollyClient, SynthesizeSpeechCommand, TextLengthExceededException } from '@aws-sdk/client-polly';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(PollyClient);
const answered = { $metadata: {}, message: '' };

/**
 * Returns a hum of 60 ms per character, shorter at a higher rate, with silence at both ends. Rejects long texts and
 * invalid SSML.
 */
export function simulate(): void {
  service.on(SynthesizeSpeechCommand).callsFake(({ Text, OutputFormat }) => {
    const [, rate, escaped = ''] =
      /^<speak><prosody rate="(\d+)%">(.*)<\/prosody><\/speak>$/s.exec(Text) ?? [];
    const isSsml = rate !== undefined && !/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/.test(escaped);
    if (!isSsml) throw Object.assign(new Error(), { name: 'InvalidSsmlException' });
    const text = escaped.replace(/&\w+;/g, '_');
    if (text.length > 3000 || Text.length > 6000) throw new TextLengthExceededException(answered);
    const bytes = OutputFormat === 'json' ? marksOf(text) : hum((text.length * 60) / (Number(rate) / 100));
    return {
      AudioStream: { transformToByteArray: async () => bytes },
      RequestCharacters: text.length,
      ContentType: OutputFormat === 'json' ? 'application/x-json-stream' : 'audio/pcm',
    };
  });
}

function hum(length_ms: number): Uint8Array {
  const silence = 16 * 100;
  const samples = new Int16Array(Math.round(length_ms * 16) + 2 * silence);
  for (let at = silence; at < samples.length - silence; at++)
    samples[at] = Math.round(6000 * Math.sin((2 * Math.PI * 200 * at) / 16_000));
  return new Uint8Array(samples.buffer);
}

function marksOf(text: string): Uint8Array {
  const lines = [...text.matchAll(/\S+/g)].map(({ 0: value, index }) =>
    JSON.stringify({ time: 100 + index * 60, type: 'word', start: index, end: index + value.length, value }),
  );
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}
