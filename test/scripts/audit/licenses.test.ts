import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Component, refusedLicenses } from '../../../scripts/audit/licenses.ts';
import { root } from '../../../toolchain/bundle/paths.ts';

const sbom = (folder: string): { components: Component[] } =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    }),
  );
const licensed = (expression: string) => [{ name: 'a', version: '1.0.0', licenses: [{ expression }] }];

describe('the license check', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-or-later)', 'Apache-2.0 AND MIT'])('allows %s', (expression) => {
    expect(refusedLicenses(licensed(expression))).toEqual([]);
  });

  it.each(['GPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later', 'SEE LICENSE', ''])(
    'refuses "%s"',
    (one) => {
      expect(refusedLicenses(licensed(one))).toHaveLength(1);
    },
  );

  it.each([root, join(root, 'lib', 'jobs', 'media-image', 'client')])(
    'allows every package that is locked in %s',
    (folder) => {
      const { components } = sbom(folder);
      expect(components.length).toBeGreaterThan(20);
      expect(refusedLicenses(components)).toEqual([]);
    },
  );
});
