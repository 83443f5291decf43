/** Runs the conformance suite for every text analysis engine in the registry. Services have stand-ins. */
import { beforeAll } from 'vitest';
import type { Engine } from '../../../engines/engine.ts';
import { text_analysis } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import type { TextAnalysis } from '../../../engines/text-analysis/port.ts';
import { simulate } from './comprehend-stand-in.ts';
import { describeConformance } from './conformance.ts';

beforeAll(async () => {
  process.env.AWS_REGION ??= 'us-east-1';
  await simulate();
});

for (const engine of text_analysis as readonly Engine<TextAnalysis>[])
  describeConformance(engine, async () => engine.make({ settings: settingsFor(engine, process.env) }));
