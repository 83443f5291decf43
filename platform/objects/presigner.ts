/** Presigned addresses. Apart from the other objects: the signer costs a cold start that few functions need. */
import { GetObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Seconds for which an address works. */
export const ADDRESS_LIFETIME_S = 3600;

export class Presigner {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Where to PUT one part, for an hour. */
  uploadPart(key: string, uploadId: string, partNumber: number): Promise<string> {
    const command = new UploadPartCommand({
      Bucket: this.#bucket,
      Key: key,
      UploadId: uploadId,
      PartNumber: partNumber,
    });
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_S });
  }

  /** Where to GET an object, for an hour. @param disposition what the answer says of how to save it: `attachment; …` */
  download(key: string, disposition?: string): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: disposition,
    });
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_S });
  }
}
