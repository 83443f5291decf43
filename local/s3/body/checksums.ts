/** The checksums that a client may send with data or request: x-amz-checksum-*. */
import { createHash } from 'node:crypto';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import { combineCrc, crc } from './crc.ts';

export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** The data from which a checksum is computed: the whole object, or the checksums of its N parts (`…-N`). */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

/** Checksums in base64, by algorithm. */
export type Checksums = Partial<Record<ChecksumAlgorithm, string>>;

/** The number of bytes in a checksum. */
const lengths: Record<ChecksumAlgorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** Returns the name of the XML element for a checksum. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

export function checksumElements(checksums: Checksums): Record<string, string> {
  return Object.fromEntries(
    Object.entries(checksums).map(([name, value]) => [checksumElement(name as ChecksumAlgorithm), value]),
  );
}

export type RunningChecksum = { update(data: Buffer): unknown; digest(): Buffer };

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'SHA1':
    case 'SHA256':
      return createHash(algorithm.toLowerCase());
    default:
      return crc(algorithm);
  }
}

/** Returns the algorithm that a header names. Throws InvalidRequest if S3 does not know it. */
export function algorithmNamed(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((each) => each === name.toUpperCase());
  if (!algorithm) throw new S3Error('InvalidRequest', 'Checksum algorithm provided is unsupported.');
  return algorithm;
}

export type DeclaredChecksum =
  | { algorithm: ChecksumAlgorithm; value: string }
  | { algorithm: ChecksumAlgorithm; trailer: string };

/** Returns the checksum in a header or in an announced trailer. Throws InvalidRequest if the headers contradict each other. */
export function declaredChecksum(request: S3Request): DeclaredChecksum | undefined {
  refuseUnknown(request);
  const inHeaders = CHECKSUM_ALGORITHMS.filter((each) => request.header(checksumHeader(each)) !== undefined);
  if (inHeaders.length > 1) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  const [algorithm] = inHeaders;
  if (algorithm)
    return { algorithm, value: wellFormed(algorithm, request.header(checksumHeader(algorithm))!) };

  const trailer = request.header('x-amz-trailer')?.trim().toLowerCase();
  if (trailer !== undefined) {
    const announced = CHECKSUM_ALGORITHMS.find((each) => checksumHeader(each) === trailer);
    if (!announced)
      throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported');
    return { algorithm: announced, trailer };
  }
  if (request.header('x-amz-sdk-checksum-algorithm') !== undefined) {
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  return undefined;
}

const known = new Set([
  'x-amz-checksum-algorithm',
  'x-amz-checksum-mode',
  'x-amz-checksum-type',
  ...CHECKSUM_ALGORITHMS.map(checksumHeader),
]);

/** Throws for unknown algorithms. Otherwise, the client would think that its checksum was verified. */
function refuseUnknown(request: S3Request): void {
  const unknown = request
    .headerNames()
    .find((name) => name.startsWith('x-amz-checksum-') && !known.has(name));
  if (unknown) throw new S3Error('NotImplemented', undefined, { Header: unknown });
}

/** Returns the value. Throws InvalidRequest if it is not base64 or has the wrong length for the algorithm. */
export function wellFormed(algorithm: ChecksumAlgorithm, value: string): string {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== lengths[algorithm] || bytes.toString('base64') !== value) {
    throw new S3Error('InvalidRequest', `Value for ${checksumHeader(algorithm)} header is invalid.`);
  }
  return value;
}

/** Throws BadDigest if the sent checksum differs from the computed one. */
export function expectChecksum(
  algorithm: ChecksumAlgorithm,
  given: string,
  computed: string | undefined,
): void {
  if (given !== computed) {
    throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
  }
}

export type PartChecksum = { digest: string; size: number };

/** Computes the checksum of an object from the checksums of its parts, in order. */
export function checksumOfParts(
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: PartChecksum[],
): string {
  const digests: Buffer[] = parts.map((part) => Buffer.from(part.digest, 'base64'));
  if (type === 'COMPOSITE') {
    const running = startChecksum(algorithm);
    running.update(Buffer.concat(digests));
    return `${running.digest().toString('base64')}-${parts.length}`;
  }
  if (algorithm === 'SHA1' || algorithm === 'SHA256') {
    throw new S3Error(
      'InvalidRequest',
      `The FULL_OBJECT checksum type cannot be used with the ${algorithm} checksum algorithm.`,
    );
  }
  const whole = digests.reduce((sofar, digest, index) =>
    combineCrc(algorithm, sofar, digest, parts[index]!.size),
  );
  return whole.toString('base64');
}
