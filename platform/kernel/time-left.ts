/** The part of Lambda's context that is read here. Tests and other callers may leave it out. */
export interface Invocation {
  readonly getRemainingTimeInMillis?: () => number;
}

/** The longest time-out of a Lambda function: quota "Function timeout". */
const LONGEST_MS = 900_000;

/** Returns the milliseconds until Lambda ends the invocation. */
export const timeLeft = (invocation: Invocation) => (): number =>
  invocation.getRemainingTimeInMillis?.() ?? LONGEST_MS;
