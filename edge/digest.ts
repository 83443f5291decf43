/** Computes digests, which replace names in the manifest. CloudFront limits a function to 10 KB, and names are long. */

/** The largest prime that fits into five digits of base 36. */
const MODULUS = 60_466_169;

/**
 * Returns up to five digits and lower-case letters. If a hundred names are known, two of a million unknown names have the digest of a
 * known name. S3 then answers that the object does not exist.
 */
export function digestOf(name: string): string {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 33 + name.charCodeAt(at)) % MODULUS;
  return sum.toString(36);
}
