import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';

const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Threat'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the table of threats', () => {
  it('has a control and an existing test for every threat', () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const [, threat, control, tests] of rows) {
      expect(control, threat).not.toBe('');
      const files = [...tests!.matchAll(/\]\(\.\.\/((?:local\/)?test\/\S+\.test\.ts)\)/g)].map(
        ([, file]) => file!,
      );
      expect(files.length, threat).toBeGreaterThan(0);
      expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    }
  });

  it('covers all categories of STRIDE, and is linked from the README', () => {
    const headings = [...text.matchAll(/^## .*\((.+)\)$/gm)].map(([, kind]) => kind);
    expect(headings).toEqual([
      ...['spoofing', 'tampering', 'repudiation'],
      ...['information disclosure', 'denial of service', 'elevation of privilege'],
    ]);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/security.md)');
  });
});
