/** What is stored of a secret: it encrypted, and the key of it alone, encrypted too. */
export interface Sealed {
  readonly ciphertext: Uint8Array;
  readonly data_key: Uint8Array;
}
