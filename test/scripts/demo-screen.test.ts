import { describe, expect, it } from 'vitest';
import { timeLeft } from '../../scripts/demo/screen.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

describe('the remaining time in the demo', () => {
  it.each([
    [null, ''],
    [at(12), ', 12 s left'],
    [at(89), ', 89 s left'],
    [at(100), ', 2 min left'],
    [at(3600), ', 60 min left'],
    [at(-5), ', 1 s left'],
  ])('of %s is "%s"', (readyAt, text) => {
    expect(timeLeft(readyAt, now)).toBe(text);
  });
});
