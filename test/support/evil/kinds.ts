/** What a file is that means harm. */

/** What it tries to reach. */
export interface Bait {
  /** An address on which somebody listens: `http://127.0.0.1:…`. */
  readonly trap: string;
  /** The path of a file of ours that plays. */
  readonly canary: string;
}

export interface EvilFile {
  readonly name: string;
  readonly bytes: () => Promise<Buffer>;
  /**
   * Refused as `media_unreadable` or `media_limit_exceeded`; or ready, with these facts, where it is in fact harmless; or
   * either of them, where only the bounds matter.
   */
  readonly expected: 'refused' | 'either' | Facts | Refusal;
}

/** Refused by what looks at it first, in words that tell its owner why. */
export interface Refusal {
  readonly detail: RegExp;
}

export interface Facts {
  /** Of what is read, within 150 ms. */
  readonly duration_ms?: number;
  readonly size?: readonly [width: number, height: number];
}
