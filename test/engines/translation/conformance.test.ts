/**
 * Every translation engine of the registry under the same suite. A new one is here by itself, from English into Spanish and
 * with the settings of this process; one that cannot run so has its own candidate or the reason for a skip below.
 */
import type { Engine } from '../../../engines/engine.ts';
import { translation } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { apertium } from '../../../engines/translation/apertium.ts';
import type { TranslationEngine } from '../../../engines/translation/port.ts';
import { hasApertium } from './apertium-installed.ts';
import { describeConformance } from './conformance.ts';

type Declared = Engine<TranslationEngine>;

/** Why an engine is not tried on this machine; null where it is. */
const skips: Readonly<Record<string, string | null>> = {
  [apertium.name]: hasApertium() ? null : 'the optional packages apertium and apertium-eng-spa are missing',
};

const asItIs = async (engine: Declared) => ({
  engine: await engine.make({ settings: settingsFor(engine, process.env) }),
  source: 'en-GB',
  target: 'es',
  foreign: 'tlh',
});

for (const engine of translation as readonly Declared[])
  describeConformance(engine, () => asItIs(engine), skips[engine.name]);
