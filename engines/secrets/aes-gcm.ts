/** AES-256-GCM (NIST SP 800-38D) for short texts. The result is nonce, ciphertext and tag in one buffer. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param bound additional authenticated data. `decrypt` needs the same value. */
export function encrypt(key: Uint8Array, plain: Uint8Array, bound: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the key, the ciphertext or `bound` differs. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, bound: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
