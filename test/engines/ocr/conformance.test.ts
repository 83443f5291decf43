/**
 * Runs the conformance suite for every text reader in the registry. New engines are included automatically. A service
 * needs a stand-in below.
 */
import { rekognition } from '../../../engines/aws/rekognition.ts';
import type { Engine } from '../../../engines/engine.ts';
import { rekognitionText, textByRekognition } from '../../../engines/ocr/aws-rekognition.ts';
import type { Ocr } from '../../../engines/ocr/port.ts';
import { ocr } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { describeConformance } from './conformance.ts';
import { simulate } from './rekognition-stand-in.ts';
import { drawn, scenes, textsOf } from './title-pictures.ts';

type Declared = Engine<Ocr>;

const candidates: Readonly<Record<string, () => Promise<Ocr>>> = {
  [rekognitionText.name]: async () => {
    process.env.AWS_REGION ??= 'us-east-1';
    const known = Object.values(scenes).map(async (scene) => ({
      jpeg: (await drawn(scene)).jpeg,
      texts: textsOf(scene),
    }));
    simulate(await Promise.all(known));
    return textByRekognition(rekognition());
  },
};

for (const engine of ocr as readonly Declared[]) {
  const asItIs = async () => engine.make({ settings: settingsFor(engine, process.env) });
  describeConformance(engine, candidates[engine.name] ?? asItIs);
}
