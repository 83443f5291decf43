import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { expect, it } from 'vitest';
import { transcriptionEngine } from '../../../engines/transcription/index.ts';
import { fixturePath } from '../../fixtures/media.ts';

const local = {
  engines: 'local' as const,
  work_dir: '/tmp',
  amazonTranscribe: () => expect.fail('the local engines need no client'),
};

it('transcribes with PocketSphinx on one machine', async () => {
  expect((await transcriptionEngine(local)).name).toBe('pocketsphinx');
});

it('transcribes with sherpa-onnx where a folder of its models is set', async () => {
  const sherpa_model_dir = fixturePath('zipformer-en');
  await mkdir(sherpa_model_dir, { recursive: true });
  for (const file of ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt']) {
    await writeFile(join(sherpa_model_dir, file), '');
  }
  expect((await transcriptionEngine({ ...local, sherpa_model_dir })).name).toBe('sherpa-onnx');
});

it('does not fall back where the configured folder is unusable', async () => {
  const broken = transcriptionEngine({ ...local, sherpa_model_dir: '/nowhere' });
  await expect(broken).rejects.toMatchObject({ code: 'engine_unavailable' });
});

it('transcribes with Amazon Transcribe in an account', async () => {
  const client = new TranscribeClient({ region: 'eu-central-1' });
  const amazonTranscribe = () => ({ client, output_bucket: 'media', readObject: async () => '' });
  const engine = await transcriptionEngine({ ...local, engines: 'aws', amazonTranscribe });
  expect(engine.name).toBe('amazon-transcribe');
});
