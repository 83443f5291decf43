import { CompareFacesCommand, DetectFacesCommand } from '@aws-sdk/client-rekognition';
import { beforeEach, describe, expect, it } from 'vitest';
import { rekognition } from '../../../engines/aws/rekognition.ts';
import { facesByRekognition, rekognitionFaces } from '../../../engines/faces/aws-rekognition.ts';
import { providerQuotas } from '../../../engines/provider-quotas.ts';
import { settingsOf } from '../../../lib/jobs/steps.ts';
import { collins, pictureOf } from '../../fixtures/photographs.ts';
import { service, simulate } from './rekognition-stand-in.ts';

process.env.AWS_REGION ??= 'us-east-1';
const faces = facesByRekognition(rekognition());

beforeEach(() => {
  service.reset();
  simulate([]);
});

describe('faces by Amazon Rekognition', () => {
  it('leaves out faces with low confidence, and cuts boxes at the edges of the picture', async () => {
    const BoundingBox = { Left: -0.1, Top: 0.5, Width: 0.4, Height: 0.6 };
    service.on(DetectFacesCommand).resolves({
      FaceDetails: [
        { BoundingBox, Confidence: 97.66 },
        { BoundingBox, Confidence: 62 },
      ],
    });
    expect(await faces.find(await pictureOf(collins.jpeg))).toEqual([
      { box: { x: 0, y: 0.5, width: 0.3, height: 0.5 }, confidence: 0.977, likeness: null },
    ]);
    const [call] = service.commandCalls(DetectFacesCommand);
    expect(call!.args[0].input).toEqual({ Image: { Bytes: collins.jpeg }, Attributes: ['DEFAULT'] });
  });

  it('sends no picture that the service rejects: below 80 pixels, above 5 MB', async () => {
    const picture = await pictureOf(collins.jpeg);
    expect(await faces.find({ ...picture, height: 79 })).toEqual([]);
    await expect(faces.find({ ...picture, jpeg: Buffer.alloc(6 << 20) })).rejects.toMatchObject({
      code: 'internal_error',
    });
    expect(service.commandCalls(DetectFacesCommand)).toEqual([]);
  });

  it('compares each face with at most 20 persons', async () => {
    service.on(CompareFacesCommand).resolves({ FaceMatches: [], UnmatchedFaces: [] });
    const crops = Array.from({ length: 30 }, () => ({ jpeg: collins.jpeg, likeness: null }));
    expect(await faces.tellApart(crops)).toEqual(crops.map((_, at) => at));
    expect(service.commandCalls(CompareFacesCommand)).toHaveLength((20 * 19) / 2 + 10 * 20);
  });

  it('makes at most 2,000 comparisons, and leaves the remaining crops without a person', async () => {
    service.on(CompareFacesCommand).resolves({ FaceMatches: [], UnmatchedFaces: [] });
    const crops = Array.from({ length: 1200 }, () => ({ jpeg: collins.jpeg, likeness: null }));
    const told = await faces.tellApart(crops);
    const asked = service.commandCalls(CompareFacesCommand).length;
    expect([asked > 1980, asked <= 2000]).toEqual([true, true]);
    expect(told.slice(0, 100)).toEqual(crops.slice(0, 100).map((_, at) => at));
    expect(new Set(told.slice(111))).toEqual(new Set([null]));
    // With a fifth of the default quota, the comparisons take at most two thirds of the step's time.
    expect(rekognitionFaces.compares! / (providerQuotas.rekognitionFacesPerSecond.given / 5)).toBeLessThan(
      settingsOf('MergePictures').timeout * 0.67,
    );
  });
});
