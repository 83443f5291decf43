/**
 * Runs the conformance suite for every speech engine in the registry. New engines are included automatically, with the
 * settings of this process. If an engine needs other settings, there is an entry or a reason for a skip below.
 */
import { beforeEach } from 'vitest';
import type { Engine } from '../../../engines/engine.ts';
import { speech } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { amazonPolly } from '../../../engines/speech/aws-polly.ts';
import { espeak } from '../../../engines/speech/espeak.ts';
import type { SpeechEngine } from '../../../engines/speech/port.ts';
import { describeConformance } from './conformance.ts';
import { hasEspeak } from './espeak-installed.ts';
import { service, simulate } from './polly-stand-in.ts';

type Declared = Engine<SpeechEngine>;

/** The reason why an engine is skipped on this machine, or null. */
const skips: Readonly<Record<string, string | null>> = {
  [espeak.name]: hasEspeak() ? null : 'the optional package espeak-ng is missing',
};

/** The service that needs a stand-in. */
const candidates: Readonly<Record<string, () => Promise<SpeechEngine>>> = {
  [amazonPolly.name]: async () => {
    process.env.AWS_REGION ??= 'us-east-1';
    return amazonPolly.make({ settings: { POLLY_WORD_TIMES: 'off' } });
  },
};

beforeEach(() => {
  service.reset();
  simulate();
});

const asItIs = async (engine: Declared) => engine.make({ settings: settingsFor(engine, process.env) });

for (const engine of speech as readonly Declared[])
  describeConformance(engine, candidates[engine.name] ?? (() => asItIs(engine)), skips[engine.name]);
