/** The media bucket of this environment. */
import { S3Client } from '@aws-sdk/client-s3';
import { patience } from '../../shared/aws-services.ts';
import type { TenantId } from '../../shared/ids.ts';
import { MediaObjects } from '../objects/media-objects.ts';
import { Presigner } from '../objects/presigner.ts';
import { environment } from './environment.ts';

/** Time-out for the start of a response, ms. A request to the API has time for a second attempt. */
const ANSWER_MS = 20_000;
/** How long S3 may send nothing while it joins or copies, ms. */
const SILENCE_MS = 60_000;

// WHEN_REQUIRED: otherwise presigned URLs contain the CRC32 of an empty body, which no real part has.
const client = new S3Client({
  requestHandler: patience(ANSWER_MS, SILENCE_MS),
  forcePathStyle: environment.localS3,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

export const mediaObjects = (tenant: TenantId) => new MediaObjects(client, environment.mediaBucket, tenant);
export const presigner = () => new Presigner(client, environment.mediaBucket);
