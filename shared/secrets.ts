/** A stored secret: its ciphertext, and its data key in encrypted form. */
export interface Sealed {
  readonly ciphertext: Uint8Array;
  readonly data_key: Uint8Array;
}
