/** Presigned URLs. The signer slows down the cold start, so only functions that need URLs load this file. */
import { createHmac, hash } from 'node:crypto';
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

  /**
   * The upload URLs of parts 1 to `count`, valid for an hour. The SDK signs the first URL. The others differ in one number and are
   * signed here with the same derived key, because the SDK takes a millisecond for each URL, and an upload may have 1,000 parts.
   */
  async uploadParts(key: string, uploadId: string, count: number): Promise<string[]> {
    const bySdk = (PartNumber: number) => {
      const command = new UploadPartCommand({
        Bucket: this.#bucket,
        Key: key,
        UploadId: uploadId,
        PartNumber,
      });
      return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_LIFETIME_S });
    };
    const first = await bySdk(1);
    const { secretAccessKey } = await this.#client.config.credentials();
    const signed = partSigner(first, secretAccessKey);
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    // The credentials may have changed between the two lines above. Then only the SDK has the current credentials.
    return signed(1) === first ? numbers.map(signed) : Promise.all(numbers.map(bySdk));
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

/**
 * Returns a function that signs the URLs of other parts, from one signed URL (IAM User Guide, "Create a signed AWS API
 * request"; Amazon S3 API Reference, "Authenticating requests: using query parameters").
 */
function partSigner(signedUrl: string, secret: string): (part: number) => string {
  const [address = '', query = ''] = signedUrl.split('?');
  const { host, pathname } = new URL(address);
  const values = new URLSearchParams(query);
  const [, ...scope] = (values.get('X-Amz-Credential') ?? '').split('/');
  const key = scope.reduce<string | Buffer>((derived, part) => hmac(derived, part).digest(), `AWS4${secret}`);
  const toSign = `AWS4-HMAC-SHA256\n${values.get('X-Amz-Date')}\n${scope.join('/')}\n`;
  const unsigned = query.replace(/X-Amz-Signature=\w+&/, '');
  return (part) => {
    const ofPart = (text: string) => text.replace(/&partNumber=\d+/, `&partNumber=${part}`);
    const request = `PUT\n${pathname}\n${ofPart(unsigned)}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const signature = hmac(key, toSign + hash('sha256', request)).digest('hex');
    return `${address}?${ofPart(query).replace(/X-Amz-Signature=\w+/, `X-Amz-Signature=${signature}`)}`;
  };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
