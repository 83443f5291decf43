/** asl-validator 4 ships no types; this is the part of it that is used here. */
declare module 'asl-validator' {
  interface Verdict {
    isValid: boolean;
    errorsText(separator?: string): string;
  }
  /** Checks a parsed definition. It writes a QueryLanguage into every state of what it is given. */
  export default function validate(
    definition: unknown,
    options?: { checkPaths?: boolean; checkArn?: boolean },
  ): Verdict;
}
