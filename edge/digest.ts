/** Digests that stand for names in the manifest, since CloudFront takes 10 KB of function and names are long. */

/** The largest prime that five digits to the base 36 can write. */
const MODULUS = 60_466_169;

/**
 * Up to five digits and lower-case letters. A name that is none of a hundred has the digest of one of them twice in a
 * million times, and then S3 says that there is nothing.
 */
export function digestOf(name: string): string {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 33 + name.charCodeAt(at)) % MODULUS;
  return sum.toString(36);
}
