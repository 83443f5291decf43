/**
 * A stand-in for Amazon Rekognition (aws-sdk-client-mock) with the documented answers of DetectText. It recognizes
 * pictures by their bytes. Nothing reaches AWS, so it does not prove that AWS still behaves as documented.
 */
import { DetectTextCommand, RekognitionClient } from '@aws-sdk/client-rekognition';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(RekognitionClient);

/** Returns the lines from top to bottom, and then all their words. */
export function simulate(all: readonly { readonly jpeg: Buffer; readonly texts: readonly string[] }[]): void {
  service.on(DetectTextCommand).callsFake(({ Image }) => {
    const texts = all.find(({ jpeg }) => jpeg.equals(Image.Bytes))?.texts ?? [];
    const geometry = (line: number) => ({
      BoundingBox: { Left: 0.16, Top: 0.42 + 0.14 * line, Width: 0.5, Height: 0.08 },
      Polygon: [{ X: 0.16, Y: 0.42 }],
    });
    const lines = texts.map((DetectedText, Id) => ({
      DetectedText,
      Type: 'LINE',
      Id,
      Confidence: 99.2,
      Geometry: geometry(Id),
    }));
    const words = texts.flatMap((text, ParentId) =>
      text.split(' ').map((DetectedText, at) => ({
        DetectedText,
        Type: 'WORD',
        Id: texts.length + 10 * ParentId + at,
        ParentId,
        Confidence: 98.5,
        Geometry: geometry(ParentId),
      })),
    );
    return { TextDetections: [...lines, ...words], TextModelVersion: '3.0' };
  });
}
