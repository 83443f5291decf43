/**
 * Runs the conformance suite for every face engine in the registry. New engines are included automatically. A service
 * needs a stand-in below.
 */
import { rekognition } from '../../../engines/aws/rekognition.ts';
import type { Engine } from '../../../engines/engine.ts';
import { facesByRekognition, rekognitionFaces } from '../../../engines/faces/aws-rekognition.ts';
import type { Faces } from '../../../engines/faces/port.ts';
import { faces } from '../../../engines/registry.ts';
import { settingsFor } from '../../../engines/selection.ts';
import { altered, collins, hopper, sideBySide } from '../../fixtures/photographs.ts';
import { describeConformance } from './conformance.ts';
import { type Known, simulate } from './rekognition-stand-in.ts';

type Declared = Engine<Faces>;

const candidates: Readonly<Record<string, () => Promise<Faces>>> = {
  [rekognitionFaces.name]: async () => {
    process.env.AWS_REGION ??= 'us-east-1';
    const known: Known[] = [];
    for (const [person, { jpeg, face }] of Object.entries({ collins, hopper })) {
      known.push({ person, jpeg, boxes: [face] });
      for (const alter of Object.values(altered))
        known.push({ person, jpeg: await alter(jpeg), boxes: [face] });
    }
    const smaller = { ...collins.face, x: 0.2, width: 0.1 };
    const larger = { ...hopper.face, x: 0.7, width: 0.15 };
    known.push({ person: 'both', jpeg: await sideBySide(), boxes: [smaller, larger] });
    simulate(known);
    return facesByRekognition(rekognition());
  },
};

for (const engine of faces as readonly Declared[]) {
  const asItIs = async () => engine.make({ settings: settingsFor(engine, process.env) });
  describeConformance(engine, candidates[engine.name] ?? asItIs);
}
