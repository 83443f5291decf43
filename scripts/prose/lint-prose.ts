/** Checks prose with retext: banned phrases, long sentences, repeated words and wrong articles. */
import type { Root, Sentence } from 'nlcst';
import { toString as textOf } from 'nlcst-to-string';
import { ParseEnglish } from 'parse-english';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { type PluggableList, unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import { bannedPhrases, MAX_WORDS } from './rules.ts';

interface Finding {
  readonly line: number;
  readonly message: string;
}

/** A retext plugin. @param maxWords the maximum number of words in a sentence */
function retextPlainWords({ maxWords }: { maxWords: number }) {
  return (tree: Root, file: VFile): void => {
    visit(tree, 'SentenceNode', (sentence: Sentence) => {
      const text = sentence.children
        .map((part) => (part.type === 'SourceNode' ? 'code' : textOf(part)))
        .join('');
      for (const { pattern, instead } of bannedPhrases) {
        const [found] = pattern.exec(text) ?? [];
        if (found !== undefined) file.message(`“${found}”: write instead: ${instead}`, sentence.position);
      }
      const words = sentence.children.filter(
        ({ type }) => type === 'WordNode' || type === 'SourceNode',
      ).length;
      if (words > maxWords)
        file.message(`${words} words in a sentence; at most ${maxWords}`, sentence.position);
    });
  };
}

const rulesFor = (maxWords: number) => ({
  plugins: [retextRepeatedWords, retextIndefiniteArticle, [retextPlainWords, { maxWords }]] as PluggableList,
});

const comments = unified().use(retextEnglish).use(rulesFor(MAX_WORDS.comment)).freeze();
const markdown = unified()
  .use(remarkParse)
  .use(remarkFrontmatter)
  .use(remarkGfm)
  .use(remarkRetext, ParseEnglish)
  .use(rulesFor(MAX_WORDS.markdown))
  .freeze();

export async function lintMarkdown(text: string): Promise<Finding[]> {
  const file = new VFile(text);
  await markdown.run(markdown.parse(file), file);
  return findingsOf(file);
}

/**
 * Checks the comments of a TypeScript or JavaScript source, and its messages: string literals of several words. In a test only
 * test names are messages; its other strings are data.
 */
export async function lintSource(source: string, { isTest = false } = {}): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { line, text } of [...commentsIn(source), ...messagesIn(source, isTest)]) {
    const file = new VFile(text.replace(/`[^`]*`/g, 'code'));
    await comments.run(comments.parse(file), file);
    for (const found of findingsOf(file)) findings.push({ ...found, line: line + found.line - 1 });
  }
  return findings;
}

const findingsOf = (file: VFile): Finding[] =>
  file.messages.map(({ line, reason }) => ({ line: line ?? 1, message: reason }));

interface Passage {
  readonly line: number;
  readonly text: string;
}

/** Returns the text of comments without their marks. A blank line or a tag (`@param`) starts a new paragraph. */
function commentsIn(source: string): Passage[] {
  const passages: { line: number; text: string }[] = [];
  let last = -2;
  for (const [at, line] of source.split('\n').entries()) {
    const [, marked] = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?(.*?)(?:\*\/)?\s*$/.exec(line) ?? [];
    if (marked === undefined || /^[/ ]*(?:biome-ignore|@ts-)/.test(marked)) continue;
    const text = marked.replace(/^@\w+\s*(?:\w+\s)?/, '\n').replace(/https?:\S+/g, 'link');
    const open = passages.at(-1);
    if (open !== undefined && last === at - 1) open.text += `\n${text}`;
    else passages.push({ line: at + 1, text });
    last = at;
  }
  return passages;
}

/** Matches a table of words: a long line of words without punctuation. */
const WORD_TABLE = /^[\p{L}\p{N}'/&-]+(?: [\p{L}\p{N}'/&-]+)*$/u;
const TABLE_WORDS = 9;

/** False for markup, for commands with several options, and for lists of single words. */
function isProse(text: string): boolean {
  const isMarkup = /<[!/?a-z]/i.test(text);
  const isCommand = (text.match(/(?<=^|\s)--?[a-z]/gi) ?? []).length > 1;
  const isList = /[,;|]/.test(text) && text.split(/[,;|]/).every((item) => /^\s*\S*\s*$/.test(item));
  const words = text.trim().split(/\s+/).length;
  const isTable = words >= TABLE_WORDS && WORD_TABLE.test(text);
  return words >= 4 && !isMarkup && !isCommand && !isList && !isTable;
}

/** Matches a line with the name of a test: `it('…`, `describe.each(…)('…`, or the name after a table. */
const TEST_NAME = /\b(?:it|test|describe)\b[.\w]*\(|^\s*\]\)\(/;

/** Returns the prose in string literals: on one line, with at least four words. */
function messagesIn(source: string, isTest: boolean): Passage[] {
  return source.split('\n').flatMap((line, at) =>
    /^\s*(?:\*|\/\/|\/\*)/.test(line) || (isTest && !TEST_NAME.test(line))
      ? []
      : [...line.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)]
          .map(([, , text = '']) =>
            text
              .replace(/\ban? \$\{[^}]*\}/g, 'the X')
              .replace(/\$\{[^}]*\}/g, 'X')
              .replace(/\\n/g, ' '),
          )
          .filter(isProse)
          .map((text) => ({ line: at + 1, text })),
  );
}
