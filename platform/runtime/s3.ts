/** The media bucket of this environment. */
import { S3Client } from '@aws-sdk/client-s3';
import type { TenantId } from '../shared/tenant.ts';
import { MediaObjects } from '../store/objects.ts';
import { Presigner } from '../store/presigner.ts';
import { environment } from './environment.ts';

// WHEN_REQUIRED: else presigned addresses carry the CRC32 of an empty body, which no real part has.
const client = new S3Client({
  forcePathStyle: environment.localS3,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

export const mediaObjects = (tenant: TenantId) => new MediaObjects(client, environment.mediaBucket, tenant);
export const presigner = () => new Presigner(client, environment.mediaBucket);
