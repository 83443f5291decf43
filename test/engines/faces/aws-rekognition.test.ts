import {
  CompareFacesCommand,
  DetectFacesCommand,
  ImageTooLargeException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
} from '@aws-sdk/client-rekognition';
import { beforeEach, describe, expect, it } from 'vitest';
import { rekognition } from '../../../engines/aws/rekognition.ts';
import { facesByRekognition } from '../../../engines/faces/aws-rekognition.ts';
import { settingsOf } from '../../../lib/jobs/steps.ts';
import { collins, pictureOf } from '../../fixtures/photographs.ts';
import { answered, service, simulate } from './rekognition-stand-in.ts';

process.env.AWS_REGION ??= 'us-east-1';
const faces = facesByRekognition(rekognition());

beforeEach(() => {
  service.reset();
  simulate([]);
});

/** Where a region has no such service, its name does not resolve. */
const noSuchHost = Object.assign(new Error('getaddrinfo ENOTFOUND rekognition.eu-north-1.amazonaws.com'), {
  code: 'ENOTFOUND',
});

describe('faces by Amazon Rekognition', () => {
  it('leave out what the service is not sure of, and cut boxes at the edges of the picture', async () => {
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

  it('ask for no picture that the service refuses: below 80 pixels, above 5 MB', async () => {
    const picture = await pictureOf(collins.jpeg);
    expect(await faces.find({ ...picture, height: 79 })).toEqual([]);
    await expect(faces.find({ ...picture, jpeg: Buffer.alloc(6 << 20) })).rejects.toMatchObject({
      code: 'internal_error',
    });
    expect(service.commandCalls(DetectFacesCommand)).toEqual([]);
  });

  it.each([
    [new ThrottlingException(answered), 'provider_unavailable'],
    [new ProvisionedThroughputExceededException(answered), 'provider_unavailable'],
    [new ImageTooLargeException(answered), 'internal_error'],
    [noSuchHost, 'engine_unavailable'],
  ])('end with %s as %s', async (error, code) => {
    service.on(DetectFacesCommand).rejects(error);
    await expect(faces.find(await pictureOf(collins.jpeg))).rejects.toMatchObject({ code });
    service.on(CompareFacesCommand).rejects(error);
    const crop = { jpeg: collins.jpeg, likeness: null };
    await expect(faces.tellApart([crop, crop])).rejects.toMatchObject({ code });
  });

  it('count a crop on which the service sees no face as a person of its own', async () => {
    const crop = { jpeg: Buffer.from('no face'), likeness: null };
    expect(await faces.tellApart([crop, crop])).toEqual([0, 1]);
  });

  it('compare each face with twenty others at most', async () => {
    service.on(CompareFacesCommand).resolves({ FaceMatches: [], UnmatchedFaces: [] });
    const crops = Array.from({ length: 30 }, () => ({ jpeg: collins.jpeg, likeness: null }));
    expect(await faces.tellApart(crops)).toEqual(crops.map((_, at) => at));
    expect(service.commandCalls(CompareFacesCommand)).toHaveLength((20 * 19) / 2 + 10 * 20);
  });

  it('compare no more than is paid for and has time, and leave the rest untold', async () => {
    service.on(CompareFacesCommand).resolves({ FaceMatches: [], UnmatchedFaces: [] });
    const crops = Array.from({ length: 1200 }, () => ({ jpeg: collins.jpeg, likeness: null }));
    const told = await faces.tellApart(crops);
    const asked = service.commandCalls(CompareFacesCommand).length;
    expect([asked > 1980, asked <= 2000]).toEqual([true, true]);
    expect(told.slice(0, 100)).toEqual(crops.slice(0, 100).map((_, at) => at));
    expect(new Set(told.slice(111))).toEqual(new Set([null]));
    // General Reference, "Amazon Rekognition endpoints and quotas": in most regions 5 a second. Two thirds of the step's time.
    expect(2000 / 5).toBeLessThan(settingsOf('MergePictures').timeout * 0.67);
  });
});
