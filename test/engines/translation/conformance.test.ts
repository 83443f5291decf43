/**
 * Runs the conformance suite for every translation engine in the registry. New engines are included automatically, from
 * English into Spanish and with the settings of this process. If an engine needs other settings, there is an entry or a
 * reason for a skip below.
 */
import { beforeEach } from 'vitest';
import type { Engine } from '../../../engines/engine.ts';
import { translation } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { apertium } from '../../../engines/translation/apertium.ts';
import { bedrock } from '../../../engines/translation/aws-bedrock.ts';
import { amazonTranslate } from '../../../engines/translation/aws-translate.ts';
import type { TranslationEngine } from '../../../engines/translation/port.ts';
import { hasApertium } from './apertium-installed.ts';
import * as bedrockService from './bedrock-stand-in.ts';
import { type Candidate, describeConformance } from './conformance.ts';
import { service, simulate } from './translate-stand-in.ts';

type Declared = Engine<TranslationEngine>;

/** The reason why an engine is skipped on this machine, or null. */
const skips: Readonly<Record<string, string | null>> = {
  [apertium.name]: hasApertium() ? null : 'the optional packages apertium and apertium-eng-spa are missing',
};

/** Engines that need a stand-in: the services. */
const candidates: Readonly<Record<string, () => Promise<Candidate>>> = {
  [amazonTranslate.name]: async () => {
    process.env.AWS_REGION ??= 'us-east-1';
    const engine = await amazonTranslate.make({ settings: { TRANSLATE_TERMINOLOGY: '' } });
    return { engine, source: 'en-GB', target: 'es', foreign: 'tlh' };
  },
  [bedrock.name]: async () => {
    process.env.AWS_REGION ??= 'us-east-1';
    const settings = { BEDROCK_MODEL_ID: 'amazon.nova-lite-v1:0', BEDROCK_INFERENCE_PROFILE: '' };
    return { engine: await bedrock.make({ settings }), source: 'en-GB', target: 'es', foreign: null };
  },
};

beforeEach(() => {
  service.reset();
  simulate();
  bedrockService.service.reset();
  bedrockService.simulate();
});

const asItIs = async (engine: Declared) => ({
  engine: await engine.make({ settings: settingsFor(engine, process.env) }),
  source: 'en-GB',
  target: 'es',
  foreign: 'tlh',
});

for (const engine of translation as readonly Declared[])
  describeConformance(engine, candidates[engine.name] ?? (() => asItIs(engine)), skips[engine.name]);
