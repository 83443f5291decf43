/** Presigned URLs. In a file of its own: the signer adds to the cold start, and few functions need it. */
import { GetObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Seconds for which a URL works. */
const ADDRESS_LIFETIME_S = 3600;

/** The time at which a URL that is made now stops working. */
export const addressEnd = (now: Date): string =>
  new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString();

export class Presigner {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** The upload URL of one part, valid for an hour. */
  uploadPart(key: string, uploadId: string, partNumber: number): Promise<string> {
    const command = new UploadPartCommand({
      Bucket: this.#bucket,
      Key: key,
      UploadId: uploadId,
      PartNumber: partNumber,
    });
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_S });
  }

  /** The download URL of an object, valid for an hour. `disposition` is the Content-Disposition of the response. */
  download(key: string, disposition?: string): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: disposition,
    });
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_S });
  }
}
