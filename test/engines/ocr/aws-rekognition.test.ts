import { DetectTextCommand } from '@aws-sdk/client-rekognition';
import { beforeEach, describe, expect, it } from 'vitest';
import { rekognition } from '../../../engines/aws/rekognition.ts';
import { textByRekognition } from '../../../engines/ocr/aws-rekognition.ts';
import { cat, pictureOf } from '../../fixtures/photographs.ts';
import { service } from './rekognition-stand-in.ts';

process.env.AWS_REGION ??= 'us-east-1';
const ocr = textByRekognition(rekognition());

beforeEach(() => service.reset());

describe('text by Amazon Rekognition', () => {
  it('contains the lines with high confidence, without lines that have no letters', async () => {
    const line = (DetectedText: string, Confidence: number, Top: number) => ({
      DetectedText,
      Confidence,
      Type: 'LINE' as const,
      Geometry: { BoundingBox: { Left: 0.1, Top, Width: 0.2, Height: 0.1 } },
    });
    service.on(DetectTextCommand).resolves({
      TextDetections: [
        line('below', 97, 0.7),
        line('above', 91.23, 0.1),
        line('||', 99, 0.3),
        line('dim', 60, 0.5),
      ],
    });
    const picture = await pictureOf(cat);
    expect(await ocr.read(picture, ['en'])).toEqual([
      { text: 'above', box: { x: 0.1, y: 0.1, width: 0.2, height: 0.1 }, confidence: 0.912 },
      { text: 'below', box: { x: 0.1, y: 0.7, width: 0.2, height: 0.1 }, confidence: 0.97 },
    ]);
    expect(service.commandCalls(DetectTextCommand)[0]!.args[0].input).toEqual({
      Image: { Bytes: picture.jpeg },
      Filters: { WordFilter: { MinConfidence: 80 } },
    });
  });

  it('is not requested for a picture that the service rejects: below 80 pixels, above 5 MB', async () => {
    const picture = await pictureOf(cat);
    expect(await ocr.read({ ...picture, width: 79 }, ['en'])).toEqual([]);
    const large = { ...picture, jpeg: Buffer.alloc(6 << 20) };
    await expect(ocr.read(large, ['en'])).rejects.toMatchObject({ code: 'internal_error' });
    expect(service.commandCalls(DetectTextCommand)).toEqual([]);
  });
});
