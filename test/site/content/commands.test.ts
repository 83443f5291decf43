import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillPage } from '../../../content/model/fill.ts';
import { readSources } from '../../../content/model/sources.ts';
import { production } from '../../support/site-environments.ts';

/** Texts with commands: documents of the repository, and the rendered pages of the site. */
const texts: [name: string, text: string][] = [
  ...['README.md', ...globSync('docs/**/*.md')].map((file): [string, string] => [
    file,
    readFileSync(file, 'utf8'),
  ]),
  ...pagesOf(undefined),
];

function pagesOf(repositoryUrl: string | undefined): [name: string, text: string][] {
  const sources = readSources();
  const environment = { ...production, ...(repositoryUrl !== undefined && { repositoryUrl }) };
  return sources.map((page) => [`${page.language}${page.slug}`, fillPage(page, { environment, sources })]);
}

const shellBlocks = (text: string) =>
  [...text.matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms)].map(([, block]) => block!);
const deployOf = (text: string) => shellBlocks(text).find((block) => block.includes('npm run deploy'));

describe('commands', () => {
  it.each(texts)('can be copied and run, without placeholders in angle brackets: %s', (_, text) => {
    for (const block of shellBlocks(text)) expect(block).not.toMatch(/<[a-z][^<>|&;\n]*>/i);
  });

  it('for a deployment are the same everywhere as in the README', () => {
    const readme = deployOf(readFileSync('README.md', 'utf8'));
    const shown = pagesOf(undefined).flatMap(([, text]) => deployOf(text) ?? []);
    expect(shown).toHaveLength(2);
    for (const block of shown) expect(block).toBe(readme);
  });

  it('clone the repository if its address is known, and otherwise run in a clone', () => {
    const of = (url: string | undefined, name: string) => pagesOf(url).find(([own]) => own === name)![1];
    for (const name of ['en/developers', 'en/', 'es/developers', 'es/']) {
      expect(of('https://git.example/kinora.git', name)).toContain(
        'git clone https://git.example/kinora.git kinora\ncd kinora\nnpm run demo\n',
      );
      expect(of(undefined, name)).not.toContain('git clone');
      expect(of(undefined, name)).toMatch(/(?:Clone the repository|Clona el repositorio)/);
    }
  });
});
