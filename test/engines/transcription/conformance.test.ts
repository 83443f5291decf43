/**
 * Runs the conformance suite for every transcription engine in the registry. New engines are included automatically,
 * with English speech and the settings of this process. If an engine needs other settings, there is an entry or a
 * reason for a skip below.
 */
import { mkdir } from 'node:fs/promises';
import { beforeEach, expect } from 'vitest';
import { covers, type Engine } from '../../../engines/engine.ts';
import { transcription } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { amazonTranscribe } from '../../../engines/transcription/aws-transcribe.ts';
import { pocketsphinx } from '../../../engines/transcription/pocketsphinx.ts';
import type { TranscriptionContext, TranscriptionEngine } from '../../../engines/transcription/port.ts';
import { sherpa, sherpaRecognizer } from '../../../engines/transcription/sherpa.ts';
import { fixturePath } from '../../fixtures/media.ts';
import { type Candidate, describeConformance } from './conformance.ts';
import { hasPocketsphinx } from './pocketsphinx-installed.ts';
import { modelFolder, standIn, zipformer } from './sherpa-stand-in.ts';
import { speechOfTheDemo } from './speech.ts';
import { result, service, simulate } from './transcribe-stand-in.ts';

type Declared = Engine<TranscriptionEngine, TranscriptionContext>;

const silence = { duration_ms: 3000, samples: new Uint8Array(3000 * 32) };

/** Engines that need a stand-in: the service, and the recognizer of a model. */
const candidates: Readonly<Record<string, () => Promise<Candidate>>> = {
  [amazonTranscribe.name]: async () => ({
    engine: await amazonTranscribe.make({
      settings: { MEDIA_BUCKET: 'media' },
      workDir: fixturePath('work'),
      readObject: async () => JSON.stringify(result),
      writeObject: async () => {},
    }),
    ...silence,
    language: 'en-US',
    foreign: 'tlh',
  }),
  [sherpa.name]: async () => ({
    engine: await sherpaRecognizer({
      model_dir: await modelFolder('zipformer-en-2023', zipformer),
      threads: 1,
      load: standIn().load,
    }),
    ...silence,
    language: 'en',
    foreign: 'fr',
  }),
};

/** The reason why an engine is skipped on this machine, or null. */
const skips: Readonly<Record<string, string | null>> = {
  [pocketsphinx.name]: hasPocketsphinx()
    ? null
    : 'the optional packages pocketsphinx and pocketsphinx-en-us are missing',
};

async function asItIs(engine: Declared): Promise<Candidate> {
  const workDir = fixturePath('work');
  await mkdir(workDir, { recursive: true });
  const context = {
    workDir,
    readObject: async () => expect.fail('there are no objects here'),
    writeObject: async () => {},
  };
  return {
    engine: await engine.make({ ...context, settings: settingsFor(engine, process.env) }),
    ...(await speechOfTheDemo(6000)),
    language: 'en-GB',
    foreign: covers(engine.languages, 'tlh') ? null : 'tlh',
  };
}

beforeEach(() => {
  service.reset();
  simulate();
});

for (const engine of transcription as readonly Declared[])
  describeConformance(engine, candidates[engine.name] ?? (() => asItIs(engine)), skips[engine.name]);
