import { describe, expect, it } from 'vitest';
import { closingLine, failuresIn, skippedTests } from '../../../scripts/testing/report.ts';

const report = {
  numPassedTests: 1,
  numFailedTests: 1,
  testResults: [
    {
      name: '/a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'adds' },
        { status: 'failed', fullName: 'subtracts' },
        { status: 'skipped', fullName: 'multiplies' },
        { status: 'todo', fullName: 'divides' },
      ],
    },
    { name: '/b.test.ts', status: 'failed', assertionResults: [] },
  ],
};

describe('the summary of a test run', () => {
  it('counts files that fail without a failed test', () => {
    expect(failuresIn(report)).toBe(2);
  });

  it('counts a missing report as one failure', () => {
    expect(failuresIn(null)).toBe(1);
  });

  it('names each skipped test with its file', () => {
    expect(skippedTests(report)).toEqual([
      { file: '/a.test.ts', name: 'multiplies' },
      { file: '/a.test.ts', name: 'divides' },
    ]);
  });

  it.each([
    [{ passed: 7, failed: 0, skipped: 0 }, '7 passed, 0 failed'],
    [{ passed: 7, failed: 1, skipped: 2 }, '7 passed, 1 failed, 2 skipped'],
  ])('ends with one plain line: %j', (count, line) => {
    expect(closingLine(count)).toBe(line);
  });
});
