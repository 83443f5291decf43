/**
 * The functions that Step Functions adds to JSONata.
 * Source: developer guide, "Transforming data with JSONata in Step Functions", "JSONata functions provided by Step Functions".
 */
import { createHash, randomUUID } from 'node:crypto';

interface Intrinsic {
  /** The types of the parameters and of the result, in the notation of JSONata. */
  signature: string;
  run(...args: never[]): unknown;
}

/** JSONata's limit for the length of a generated sequence (its error D2014). */
const LONGEST_RANGE = 10_000_000;

const hashes = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };

export const INTRINSICS: Record<string, Intrinsic> = {
  partition: { signature: '<an:a<a>>', run: partition },
  range: { signature: '<nnn:a<n>>', run: range },
  hash: { signature: '<ss:s>', run: hash },
  random: { signature: '<n?:n>', run: random },
  uuid: { signature: '<:s>', run: () => randomUUID() },
  parse: { signature: '<s:x>', run: parse },
};

/** Built-ins that Step Functions does not offer: "$eval is not supported … use $parse instead". */
export const REFUSED_BUILT_INS = ['eval'];

/** Divides the array into arrays of `size`. The last one may be shorter. */
function partition(array: unknown[], size: number): unknown[][] {
  if (!Number.isInteger(size) || size < 1)
    throw new Error(`$partition: the size must be a positive integer, not ${size}`);
  const count = Math.ceil(array.length / size);
  return Array.from({ length: count }, (_, index) => array.slice(index * size, (index + 1) * size));
}

/** Returns first, first + step, … up to last. `last` is included if a step reaches it. */
function range(first: number, last: number, step: number): number[] {
  if (step === 0) throw new Error('$range: the step must not be 0');
  const length = Math.max(0, Math.floor((last - first) / step) + 1);
  if (length > LONGEST_RANGE) throw new Error(`$range: ${length} values are more than ${LONGEST_RANGE}`);
  return Array.from({ length }, (_, index) => first + index * step);
}

function hash(data: string, algorithm: string): string {
  const name = Object.hasOwn(hashes, algorithm) ? hashes[algorithm as keyof typeof hashes] : undefined;
  if (!name)
    throw new Error(
      `$hash: the algorithm must be one of ${Object.keys(hashes).join(', ')}, not ${algorithm}`,
    );
  return createHash(name).update(data).digest('hex');
}

/** Returns a number from 0 to 1, exclusive. For the same seed, always returns the same number. */
function random(seed?: number): number {
  if (seed === undefined) return Math.random();
  const digest = createHash('sha256').update(String(seed)).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`$parse: ${(error as Error).message}`);
  }
}
