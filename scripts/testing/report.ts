/** Counts the results in vitest's JSON report. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** Returns the number of failed tests, and of files that failed in imports or `beforeAll`. A missing report counts as one. */
export function failuresIn(report: TestReport | null): number {
  if (report === null) return 1;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return report.numFailedTests + broken.length;
}

/** Returns the tests that did not run: `skip`, `skipIf`, `todo`, and tests after a failed `beforeAll`. */
export function skippedTests(report: TestReport | null): readonly { file: string; name: string }[] {
  return (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => ({ file, name: fullName })),
  );
}

/** Returns the last line of a run. Its form is fixed, because other programs read it. */
export function closingLine(count: { passed: number; failed: number; skipped: number }): string {
  const line = `${count.passed} passed, ${count.failed} failed`;
  return count.skipped === 0 ? line : `${line}, ${count.skipped} skipped`;
}
