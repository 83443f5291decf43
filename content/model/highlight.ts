/** Colours code samples: a table of token patterns for each language that the site shows. */
import type { ElementContent } from 'hast';
import { defined } from '../../shared/checked-access.ts';

type TokenClass = 'k' | 's' | 'n' | 'c' | 'p';

/** Patterns in order of preference. Text that matches no pattern stays plain. */
type Grammar = readonly (readonly [TokenClass, RegExp])[];

const json: Grammar = [
  ['p', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ['s', /"(?:[^"\\\n]|\\.)*"/],
  ['n', /-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b/],
];

const grammars: Readonly<Record<string, Grammar>> = {
  json,
  http: [
    ['k', /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b|^HTTP\/\d(?:\.\d)? \d{3}.*$/],
    ['p', /^[A-Z][A-Za-z-]+(?=: )/],
    ...json,
  ],
  bash: [
    ['c', /(?<=^|\s)#.*$/],
    ['s', /'[^']*'|"(?:[^"\\]|\\.)*"/],
    ['k', /^(?:curl|npm|npx|git|node|cd|for|do|done|sed|jq)\b/],
    ['p', /(?<=\s)--?[A-Za-z][\w-]*/],
    ['n', /\$\w+/],
  ],
  ts: [
    ['c', /\/\/.*$|\/\*[\s\S]*?\*\//],
    ['s', /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/],
    ['k', /\b(?:const|let|return|if|else|for|of|function|await|async|throw|new|while|export|type)\b/],
    ['n', /\b\d[\d_]*(?:\.\d+)?\b/],
  ],
  vtt: [
    ['n', /\d{2}:\d{2}:\d{2}\.\d{3}/],
    ['k', /^WEBVTT|-->/],
    ['p', /<\/?v[^>]*>/],
  ],
  srt: [
    ['n', /\d{2}:\d{2}:\d{2},\d{3}/],
    ['k', /-->/],
  ],
  text: [],
};

const grammarOf = (language: string): Grammar | undefined => grammars[otherNames[language] ?? language];

const otherNames: Readonly<Record<string, string>> = { sh: 'bash', js: 'ts' };

export const highlightedLanguages: readonly string[] = [...Object.keys(grammars), ...Object.keys(otherNames)];

/** Returns the code as text and `<span>` elements. Their class is `k`, `s`, `n`, `c` or `p`: keyword, string, number, comment, property. */
export function highlight(code: string, language: string): ElementContent[] {
  const grammar = grammarOf(language);
  if (grammar === undefined) throw new Error(`no grammar for \`\`\`${language}; add one to highlight.ts`);
  if (grammar.length === 0) return [{ type: 'text', value: code }];

  const source = grammar.map(([, pattern]) => `(${pattern.source})`).join('|');
  const nodes: ElementContent[] = [];
  let end = 0;
  for (const match of code.matchAll(new RegExp(source, 'gm'))) {
    const kind = defined(grammar[match.slice(1).findIndex((group) => group !== undefined)])[0];
    if (match.index > end) nodes.push({ type: 'text', value: code.slice(end, match.index) });
    nodes.push(span(kind, match[0]));
    end = match.index + match[0].length;
  }
  if (end < code.length) nodes.push({ type: 'text', value: code.slice(end) });
  return nodes;
}

function span(kind: TokenClass, value: string): ElementContent {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: [kind] },
    children: [{ type: 'text', value }],
  };
}
