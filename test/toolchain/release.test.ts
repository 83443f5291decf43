import { expect, it } from 'vitest';
import { hasDatedEntry } from '../../toolchain/release.ts';

it.each([
  ['## 0.1.0 (2026-11-23)', true],
  ['## [0.1.0] - 2026-11-23', true],
  ['## 0.1.0', false],
  ['## 0.1.0-rc.1 (2026-11-23)', false],
  ['## Unreleased', false],
])('a release finds a dated entry for 0.1.0 in %j: %j', (heading, isFound) => {
  expect(hasDatedEntry(`# Changes\n\n${heading}\n\n- A change.\n`, '0.1.0')).toBe(isFound);
});
