/** How long an invocation may still go on. */

/** What Lambda tells of an invocation, as far as it is read here; tests and other callers may tell nothing. */
export interface Invocation {
  readonly getRemainingTimeInMillis?: () => number;
}

/** The longest that Lambda lets a function run: quota "Function timeout". */
const LONGEST_MS = 900_000;

/** Tells the milliseconds until Lambda ends it. */
export const timeLeft = (invocation: Invocation) => (): number =>
  invocation.getRemainingTimeInMillis?.() ?? LONGEST_MS;
