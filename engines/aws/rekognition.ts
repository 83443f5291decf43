/** What engines that ask Amazon Rekognition have in common: the client, pictures as it takes them, its errors as ours. */
import { type Image, RekognitionClient } from '@aws-sdk/client-rekognition';
import type { Picture } from '../../media/pictures/picture.ts';
import { internalError } from '../../shared/job-errors.ts';
import { holdingBack, patience, refusalBy, type ServiceError } from './requests.ts';

/** How long an answer may take, ms. */
const ANSWER_MS = 30_000;

export const rekognition = (): RekognitionClient =>
  new RekognitionClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) });

/** Developer Guide, "Guidelines and quotas": pixels each way. Smaller pictures are refused, and show nothing to find. */
const LEAST_SIDE = 80;

export const isLargeEnough = ({ width, height }: Picture): boolean => Math.min(width, height) >= LEAST_SIDE;

/** The same page: bytes of a picture that comes with the request. A JPEG of 1280 × 720 pixels has a tenth of that. */
const MOST_BYTES = 5 << 20;

export function imageOf(jpeg: Buffer): Image {
  if (jpeg.length > MOST_BYTES) {
    throw internalError(
      `A picture of ${jpeg.length} bytes is more than Amazon Rekognition takes (${MOST_BYTES}).`,
    );
  }
  return { Bytes: jpeg };
}

/** The service gives per cent, and boxes in fractions of the picture, which may reach beyond it. */
export const fractionOf = (percent = 0): number => Math.round(percent * 10) / 1000;

/** What the service answers; its errors as ours, and the reason where it was aborted. */
export async function answerOf<Answer>(
  send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    return await send(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw refusalBy('Amazon Rekognition', 'a picture', error as ServiceError);
  }
}
