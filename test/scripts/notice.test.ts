import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';

// @ts-expect-error JavaScript, since it runs before TypeScript can.
const { tools } = await import('../../scripts/bootstrap/engines.mjs');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const notice = read('NOTICE');
const names = (name: string) => new RegExp(`(^|[\\s,])${name}([\\s,]|$)`, 'm').test(notice);

describe('NOTICE', () => {
  it('names every Debian package in the image of the media steps', () => {
    const recipe = read('lib', 'jobs', 'media-image', 'Dockerfile');
    const [, installed = ''] = /upgrade .* install --yes --no-install-recommends (.+?) &&/.exec(recipe) ?? [];
    const packages = installed.split(' ');
    expect(packages.length).toBeGreaterThan(5);
    expect(packages.filter((name) => !names(name))).toEqual([]);
  });

  it('names every Debian package that the local cloud runs', () => {
    const packages = (tools as { for: string; apt: string[] }[])
      .filter((tool) => tool.for === 'run')
      .flatMap(({ apt }) => apt);
    expect(packages).toContain('espeak-ng');
    expect(packages.filter((name) => !names(name))).toEqual([]);
  });

  it('is named by the license section of the README', () => {
    const [, licence = ''] = read('README.md').split('\n## License\n');
    for (const said of ['Apache-2.0', '[NOTICE](NOTICE)', 'GPL', 'npm run audit'])
      expect(licence).toContain(said);
  });
});
