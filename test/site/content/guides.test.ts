/** Documents of the repository that are pages of the site as well. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../content/model/documents.ts';
import { parseSource, readSources } from '../../../content/model/sources.ts';

const guides = globSync('content/pages/en/docs/*.md')
  .filter((file) => !file.endsWith('index.md'))
  .map((file) => file.replace('content/pages/en/', ''));
const sources = readSources();
const pageOf = (guide: string, language: string) =>
  sources.find((page) => page.slug === `/${guide.replace('.md', '')}` && page.language === language)!;

/** Text, code and fences apart. */
const FENCE = /^```.*?^```$/gms;
const codeOf = (text: string) => text.match(FENCE) ?? [];
const headingsOf = (text: string) =>
  [...text.replace(FENCE, '').matchAll(/^(#+) /gm)].map(([, level]) => level!.length);

describe.each(guides)('%s', (guide) => {
  const text = readFileSync(guide, 'utf8');

  it('has the same text as its English page, except for links', () => {
    const { heading, description, body } = pageOf(guide, 'en');
    const withoutTargets = (markdown: string) => markdown.replace(/\[([^[\]]+)\]\([^)]*\)/g, '$1');
    expect(withoutTargets(text)).toBe(`${withoutTargets(`# ${heading}\n\n${description}\n\n${body}`)}\n`);
  });

  it('has the same headings and the same code in Spanish', () => {
    const [english, spanish] = [pageOf(guide, 'en').body, pageOf(guide, 'es').body];
    expect(headingsOf(spanish)).toEqual(headingsOf(english));
    expect(codeOf(spanish)).toEqual(codeOf(english));
    expect(headingsOf(english).length).toBeGreaterThan(1);
  });

  it('has the same number of paragraphs, lists and tables in Spanish', () => {
    const partsOf = (body: string) =>
      body
        .replace(FENCE, '')
        .split(/\n{2,}/)
        .filter((part) => part.trim());
    expect(partsOf(pageOf(guide, 'es').body)).toHaveLength(partsOf(pageOf(guide, 'en').body).length);
  });

  it('links only to files that exist in the repository', () => {
    for (const [, target] of text.replace(FENCE, '').matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(dirname(guide), target!)), target).toBe(true);
    }
  });
});

describe('a document', () => {
  const parsed = (body: string) => parseDocument('docs/x.md', `# A\n\nFirst,\nin short.\n\n${body}\n`);

  it('begins with the heading and the description of its page', () => {
    expect(parsed('Text.')).toEqual({ heading: 'A', description: 'First, in short.', body: 'Text.' });
    expect(() => parseDocument('docs/x.md', 'Text.\n')).toThrow('docs/x.md does not begin with');
  });

  it('keeps links to documents that are pages, and only the text of other links', () => {
    expect(
      parsed('[one](api.md#delete), [two](../client), [three](runbooks.md), [four](https://a.example)').body,
    ).toBe('[one](/docs/api#delete), two, three, [four](https://a.example)');
  });

  it('keeps the text in code blocks unchanged', () => {
    expect(parsed('```sh\necho [a](b.md)\n```').body).toBe('```sh\necho [a](b.md)\n```');
  });

  it('is the only source of the text of its page', () => {
    const page = '---\ntitle: A\nupdated: "1"\nsource: docs/api.md\n---\n\nMore.\n';
    expect(() => parseSource('docs/api.md', 'en', page)).toThrow('has no text of its own');
  });
});
