import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPage, formatDate } from '../../../content/model/fill.ts';
import { highlight, highlightedLanguages } from '../../../content/model/highlight.ts';
import { type RenderInput, render } from '../../../content/model/render.ts';
import { parseSource, readSources } from '../../../content/model/sources.ts';
import { openTypeOf } from '../../../content/output/woff.ts';
import { forAny } from '../../support/for-any.ts';
import { environment } from './built.ts';

const page = (body: string, front = 'title: A\ndescription: B\nupdated: 2026-11-21') =>
  parseSource('features/x.md', 'en', `---\n${front}\n---\n\n${body}\n`);

const rendered = (filled: string, dates: RenderInput['dates'] = {}) => {
  const place = { path: '/x', language: 'en', layout: 'article', baseUrl: 'https://site.example' } as const;
  return render({ ...place, dates, filled });
};
const context = { environment, sources: [] };

describe('the source of a page', () => {
  it('gets its slug and kind from its path', () => {
    const at = (file: string) =>
      parseSource(file, 'en', '---\ntitle: A\ndescription: B\nupdated: "1"\n---\n');
    expect(at('index.md')).toMatchObject({ slug: '/', kind: 'page' });
    expect(at('blog/index.md')).toMatchObject({ slug: '/blog', kind: 'page' });
    expect(at('blog/one.md')).toMatchObject({ slug: '/blog/one', kind: 'post' });
    expect(at('docs/one.md')).toMatchObject({ slug: '/docs/one', kind: 'guide' });
    expect(at('404.md')).toMatchObject({ slug: '/404', kind: 'recovery' });
  });

  it.each([
    ['no front matter', 'text', 'no front matter'],
    ['a member that does not exist', '---\ntitel: A\n---\n', 'cannot have titel'],
    ['a member of another type', '---\ntitle: 7\n---\n', 'cannot have title'],
    ['a member missing', '---\ntitle: A\ndescription: B\n---\n', 'lacks updated'],
    ['no description', '---\ntitle: A\nupdated: "1"\n---\n', 'lacks description'],
  ])('is rejected with %s', (_, text, complaint) => {
    expect(() => parseSource('x.md', 'en', text)).toThrow(complaint);
  });

  it('is rejected with an unknown placeholder', () => {
    expect(() => fillPage(page('{{nonsense}}'), context)).toThrow('unknown {{nonsense}}');
  });

  it('has its heading, description and date before its text', () => {
    const post = page('Text.', 'title: A\ndescription: B\nupdated: 2026-11-21\ndate: 2026-11-20');
    expect(fillPage(post, context)).toBe('# A\n\nB\n\n*20 November 2026*\n\nText.\n');
    expect(formatDate('2026-11-20', 'es')).toBe('20 de noviembre de 2026');
  });
});

describe('a page that describes operations', () => {
  const filled = (body: string, operations: string) =>
    fillPage(page(body, `title: A\ndescription: B\nupdated: "1"\noperations: [${operations}]`), context);

  it('shows its availability and planned operations below its description', () => {
    expect(filled('Text.', 'createAsset')).toBe('# A\n\nB\n\n*Works today*\n\nText.\n');
    expect(filled('Text.', 'createAsset, nlSearch')).toContain(
      '\n\n*Works in part* These operations still answer `501 not_implemented`: `nlSearch`.\n\n',
    );
  });

  it('always marks sections, and marks sentences if something is planned', () => {
    const section = '## C\n\n{{mark createAsset}}\n\nOne {{planned createAsset}}, two.';
    expect(filled(section, 'createAsset')).toContain('## C\n\n*Works today*\n\nOne, two.');
    expect(filled('One {{planned nlSearch}}, two.', 'createAsset')).toContain('One *Planned*, two.');
  });

  it('is rejected if its operations are not a list', () => {
    const front = 'title: A\ndescription: B\nupdated: "1"\noperations: createAsset';
    expect(() => page('Text.', front)).toThrow('cannot have operations');
  });
});

describe('the rendering of a page', () => {
  it('rejects raw HTML, because the markdown version would not have it', () => {
    expect(() => rendered('# A\n\n<b>bold</b>\n')).toThrow('/x: raw HTML');
  });

  it('makes the links of the markdown version absolute, and changes nothing else', () => {
    const text = '# A\n\nSee [*one*](/one), [two](https://two.example) and `[three](/three)`.\n';
    expect(rendered(text).markdown).toBe(text.replace('(/one)', '(https://site.example/one)'));
  });

  it('renders lists of strong links as cards, and tables of tracks as timelines', () => {
    expect(rendered('- **[A](/a)** text\n').html).toContain('<ul class="cards">');
    expect(rendered('- [A](/a) text\n').html).not.toContain('cards');
    expect(rendered('| Track | 1 |\n|---|---|\n| en | Hi |\n').html).toContain('<table class="tracks">');
  });

  it('marks up the given dates, and no other emphasis', () => {
    const { html } = rendered('*20 November 2026* and *so on*\n', { '20 November 2026': '2026-11-20' });
    expect(html).toContain('<time datetime="2026-11-20">20 November 2026</time> and <em>so on</em>');
  });

  it('puts the availability mark of a section into its heading, but not into its anchor or the table of contents', () => {
    const { html, headings } = rendered('# A\n\n## One two\n\n*Planned*\n\nText.\n');
    expect(html).toContain('<h2 id="one-two">One two <span class="mark planned">Planned</span></h2>\n');
    expect(html).not.toContain('<p><span');
    expect(headings).toEqual([{ id: 'one-two', text: 'One two' }]);
  });

  it('does not move availability marks inside a sentence', () => {
    expect(rendered('One *Works in part*, two.\n').html).toContain(
      '<p>One <span class="mark partly">Works in part</span>, two.</p>',
    );
  });

  it('gives a problem code an anchor with hyphens', () => {
    expect(rendered('### `page_not_found`\n').html).toContain('<h3 id="page-not-found">');
  });
});

describe('syntax highlighting', () => {
  it('never changes the code', () => {
    const language = fc.constantFrom(...highlightedLanguages);
    const code = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'"\'`{}<>:/*# \n-0aE') }),
    );
    forAny([language, code], (name, text) => {
      const nodes = highlight(text, name);
      const texts = nodes.map((node) => (node.type === 'element' ? node.children[0] : node));
      expect(texts.map((node) => (node?.type === 'text' ? node.value : '')).join('')).toBe(text);
    });
  });

  it('knows languages by their other names', () => {
    expect(highlight('curl -s', 'sh')).toEqual(highlight('curl -s', 'bash'));
  });

  it('rejects a language without a grammar', () => {
    expect(() => highlight('', 'cobol')).toThrow('no grammar');
  });

  it('has a grammar for every sample of the site', () => {
    const names = readSources().flatMap(({ body }) =>
      [...body.matchAll(/^```(\w+)$/gm)].map(([, name]) => name!),
    );
    expect(highlightedLanguages).toEqual(expect.arrayContaining([...new Set(names)]));
  });
});

describe('unpacking a font', () => {
  it('returns an OpenType file whose tables are at the offsets in its directory', () => {
    const name =
      '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff';
    const font = openTypeOf(readFileSync(createRequire(import.meta.url).resolve(name)));
    const tables = new Map(
      Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
        const at = 12 + index * 16;
        return [font.toString('latin1', at, at + 4), [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)]];
      }),
    );
    for (const [offset, length] of tables.values())
      expect(offset! + length!).toBeLessThanOrEqual(font.length);
    // OpenType, "head": the magic number is 12 bytes into the table.
    expect(font.readUInt32BE(tables.get('head')![0]! + 12)).toBe(0x5f0f3cf5);
    expect([...tables.keys()]).toEqual(expect.arrayContaining(['cmap', 'glyf', 'hmtx', 'name']));
  });

  it('rejects other files', () => {
    expect(() => openTypeOf(Buffer.from('wOF2 and so on'))).toThrow('not a WOFF 1.0 file');
  });
});
