import { expect, it } from 'vitest';
import { surfaceOf } from '../../toolchain/openapi/api-surface.ts';
import { openApiDocument } from '../../toolchain/openapi/document.ts';
import { readRelease } from '../../toolchain/release.ts';

it('the API keeps every operation, parameter, member and value of the last release, with its type', () => {
  const { api } = readRelease();
  const now = new Set(surfaceOf(openApiDocument()));
  expect(api.length).toBeGreaterThan(1000);
  expect(api.filter((line) => !now.has(line))).toEqual([]);
});
