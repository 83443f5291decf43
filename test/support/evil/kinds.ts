/** Types of malicious test files. */

/** The targets that a file tries to reach. */
export interface Bait {
  /** The address of a listening server: `http://127.0.0.1:…`. */
  readonly trap: string;
  /** The path of a valid media file. */
  readonly canary: string;
}

export interface EvilFile {
  readonly name: string;
  readonly bytes: () => Buffer;
  /**
   * Rejected as `media_unreadable` or `media_limit_exceeded`; or ready with these facts, if the file is harmless; or
   * any of them, if only the limits matter.
   */
  readonly expected: 'refused' | 'either' | Facts | Refusal;
}

/** The first step rejects it, with a message that tells its owner the reason. */
export interface Refusal {
  readonly detail: RegExp;
}

export interface Facts {
  /** The readable duration, within 150 ms. */
  readonly duration_ms?: number;
  readonly size?: readonly [width: number, height: number];
}

export const files = (
  expected: EvilFile['expected'],
  all: Readonly<Record<string, EvilFile['bytes']>>,
): EvilFile[] => Object.entries(all).map(([name, bytes]) => ({ name, bytes, expected }));
