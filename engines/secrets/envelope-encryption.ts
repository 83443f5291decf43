/** Envelope encryption: each secret under a key of its own, which is kept encrypted beside it. */
import type { Sealed } from '../../shared/secrets.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import type { DataKeys, KeyContext } from './port.ts';

export type { DataKeys, KeyContext } from './port.ts';

export class Secrets {
  readonly #keys: DataKeys;

  constructor(keys: DataKeys) {
    this.#keys = keys;
  }

  /** Encrypts a JSON value for one resource of one tenant. */
  async seal(value: unknown, context: KeyContext): Promise<Sealed> {
    const { plain, wrapped } = await this.#keys.generate(context);
    const ciphertext = encrypt(plain, Buffer.from(JSON.stringify(value)), boundTo(context));
    plain.fill(0);
    return { ciphertext, data_key: wrapped };
  }

  /** The value again; throws for another tenant or resource than it was sealed for. */
  async open<T>({ ciphertext, data_key }: Sealed, context: KeyContext): Promise<T> {
    const plain = await this.#keys.unwrap(data_key, context);
    return JSON.parse(Buffer.from(decrypt(plain, ciphertext, boundTo(context))).toString('utf8')) as T;
  }
}

const boundTo = ({ tenant, resource }: KeyContext) => JSON.stringify([tenant, resource]);
