/** The API only gains: what a client of the last release relies on is there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';
import { openApiDocument } from '../../toolchain/openapi/document.ts';
import { surfaceOf } from '../support/api-surface.ts';

const file = join(root, 'released', 'api.txt');
const now = surfaceOf(openApiDocument());
if (process.env.RECORD_RELEASE === '1') writeFileSync(file, `${now.join('\n')}\n`);
const released = readFileSync(file, 'utf8').trimEnd().split('\n');

it('has every operation, parameter, member and value that the last release has, of the same type', () => {
  expect(released.length).toBeGreaterThan(1000);
  const lines = new Set(now);
  expect(released.filter((line) => !lines.has(line))).toEqual([]);
});
