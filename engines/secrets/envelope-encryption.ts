/** Envelope encryption: each secret is encrypted with its own data key, which is stored encrypted next to the secret. */
import type { Sealed } from '../../shared/secrets.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import { boundTo, type DataKeys, type KeyContext } from './port.ts';

export class Secrets {
  readonly #keys: DataKeys;

  constructor(keys: DataKeys) {
    this.#keys = keys;
  }

  async seal(value: unknown, context: KeyContext): Promise<Sealed> {
    const { plain, wrapped } = await this.#keys.generate(context);
    const ciphertext = encrypt(plain, Buffer.from(JSON.stringify(value)), boundTo(context));
    plain.fill(0);
    return { ciphertext, data_key: wrapped };
  }

  /** Decrypts the value. Throws if the secret belongs to another tenant or resource. */
  async open<T>({ ciphertext, data_key }: Sealed, context: KeyContext): Promise<T> {
    const plain = await this.#keys.unwrap(data_key, context);
    return JSON.parse(Buffer.from(decrypt(plain, ciphertext, boundTo(context))).toString('utf8')) as T;
  }
}
