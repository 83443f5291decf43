/**
 * A stand-in for Amazon Rekognition (aws-sdk-client-mock) with the documented answers of DetectFaces and CompareFaces.
 * It recognizes photographs by their bytes. Nothing reaches AWS, so it does not prove that AWS still behaves as
 * documented.
 */
import {
  CompareFacesCommand,
  DetectFacesCommand,
  InvalidParameterException,
  RekognitionClient,
} from '@aws-sdk/client-rekognition';
import { mockClient } from 'aws-sdk-client-mock';
import type { Box } from '../../../shared/boxes.ts';

export const service = mockClient(RekognitionClient);
const answered = { $metadata: {}, message: '' };

export interface Known {
  readonly jpeg: Buffer;
  readonly person: string;
  readonly boxes: readonly Box[];
}

const boundingBox = ({ x, y, width, height }: Box) => ({ Left: x, Top: y, Width: width, Height: height });

/** Finds faces only in these known pictures. */
export function simulate(all: readonly Known[]): void {
  const of = (bytes: Uint8Array | undefined) =>
    all.find(({ jpeg }) => bytes !== undefined && jpeg.equals(bytes));
  service.on(DetectFacesCommand).callsFake(({ Image }) => ({
    FaceDetails: (of(Image.Bytes)?.boxes ?? []).map((box) => ({
      BoundingBox: boundingBox(box),
      Confidence: 99.98,
      Landmarks: [{ Type: 'eyeLeft', X: box.x, Y: box.y }],
      Pose: { Roll: 1, Yaw: 2, Pitch: 3 },
      Quality: { Brightness: 80, Sharpness: 90 },
    })),
  }));
  service.on(CompareFacesCommand).callsFake(({ SourceImage, TargetImage, SimilarityThreshold }) => {
    const [source, target] = [of(SourceImage.Bytes), of(TargetImage.Bytes)];
    if (!source || !target) throw new InvalidParameterException(answered);
    const Similarity = source.person === target.person ? 99.2 : 3.1;
    const Face = { BoundingBox: boundingBox(target.boxes[0]!), Confidence: 99.9 };
    return Similarity >= SimilarityThreshold
      ? { FaceMatches: [{ Similarity, Face }], UnmatchedFaces: [] }
      : { FaceMatches: [], UnmatchedFaces: [Face] };
  });
}
