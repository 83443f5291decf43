/** A stored secret: its ciphertext, and its own encrypted data key. */
export interface Sealed {
  readonly ciphertext: Uint8Array;
  readonly data_key: Uint8Array;
}
