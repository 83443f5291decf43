/** The types of asl-validator 4 that are used here. The package has no types. */
declare module 'asl-validator' {
  interface Verdict {
    isValid: boolean;
    errorsText(separator?: string): string;
  }
  /** Checks a parsed definition. Writes a QueryLanguage into every state of the given object. */
  export default function validate(
    definition: unknown,
    options?: { checkPaths?: boolean; checkArn?: boolean },
  ): Verdict;
}
