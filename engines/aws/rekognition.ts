/** The client, the input and the output of Amazon Rekognition, for all engines that use it. */
import { type BoundingBox, type Image, RekognitionClient } from '@aws-sdk/client-rekognition';
import type { Picture } from '../../media/pictures/picture.ts';
import { type Box, withinPicture } from '../../shared/boxes.ts';
import { internalError } from '../../shared/job-errors.ts';
import { holdingBack, patience, requestsTo } from './requests.ts';

const ANSWER_MS = 30_000;

export const rekognition = (): RekognitionClient =>
  new RekognitionClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) });

export const askRekognition = requestsTo('Amazon Rekognition', 'a picture');

/** The list price of one picture. All operations that the engines use have this price. */
export const rekognitionPrice = {
  per: 'picture',
  usd: 0.001,
  source: 'https://aws.amazon.com/rekognition/pricing/',
} as const;

export const rekognitionPermission = (operation: string) => ({
  actions: [`rekognition:${operation}`],
  resources: ['*'],
  why: 'Operations of Rekognition on a picture in the request have no resource.',
});

/** The minimum length of the shorter side, pixels. Rekognition rejects smaller pictures (Developer Guide, "Guidelines and quotas"). */
const MIN_SIDE = 80;

export const isLargeEnough = ({ width, height }: Picture): boolean => Math.min(width, height) >= MIN_SIDE;

/** The maximum size of a picture in a request, bytes (same page). A JPEG of 1280 × 720 pixels has a tenth of this size. */
const MAX_BYTES = 5 << 20;

export function toImage(jpeg: Buffer): Image {
  if (jpeg.length > MAX_BYTES) {
    throw internalError(
      `A picture of ${jpeg.length} bytes is too large for Amazon Rekognition. The maximum is ${MAX_BYTES}.`,
    );
  }
  return { Bytes: jpeg };
}

export const toFraction = (percent = 0): number => Math.round(percent * 10) / 1000;

/** Rekognition returns boxes in fractions of the picture. Its boxes may extend beyond the edges of the picture. */
export const toBox = ({ Left = 0, Top = 0, Width = 0, Height = 0 }: BoundingBox = {}): Box =>
  withinPicture({ x: Left, y: Top, width: Width, height: Height });
