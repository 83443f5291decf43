import { describe, expect, it } from 'vitest';
import { lintMarkdown, lintSource } from '../../../scripts/prose/lint-prose.ts';

const messages = (findings: readonly { message: string }[]) => findings.map(({ message }) => message);
const word = 'who' + 'ever';

describe('the prose check of a source', () => {
  it.each([
    ['a banned phrase in a comment', `/** Notifies ${word} calls. */`, word],
    ['a banned phrase in a message', `throw new Error('Notifies ${word} calls it.');`, word],
    ['a repeated word', ['// Returns', 'the', 'the id.'].join(' '), 'repeated'],
    ['a wrong article', ['// Returns', 'a', 'id.'].join(' '), 'article'],
    ['a long sentence', `// ${'Very '.repeat(60)}long.`, 'words in a sentence'],
  ])('reports %s', async (_, source, part) => {
    expect(messages(await lintSource(source)).join()).toContain(part);
  });

  it.each([
    ['a list of single words', `const words = '${word}, rude, words, here';`],
    ['markup', `const page = '<p>a a-data ${word} b</p>';`],
    ['a command', "const line = 'apt-get install -y --no-recommends a a-data';"],
    ['a short literal', `const word = '${word}';`],
    ['code in backticks', `// Calls \`${word}\` once.`],
  ])('skips %s', async (_, source) => {
    expect(await lintSource(source)).toEqual([]);
  });

  it('names the line of a finding', async () => {
    expect(await lintSource(`const a = 1;\n\n// Notifies ${word} calls.`)).toMatchObject([{ line: 3 }]);
  });
});

describe('the prose check of Markdown', () => {
  it('reports sentences but ignores code', async () => {
    const found = await lintMarkdown(
      `# Title\n\nNotifies ${word} calls.\n\n\`\`\`sh\n${word} calls\n\`\`\`\n`,
    );
    expect(found).toMatchObject([{ line: 3 }]);
  });
});
