/** Turns a filled page into its two representations. The page is parsed once, so that markdown and HTML have the same content. */
import type { Element, Root as HastRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { toString as textOf } from 'hast-util-to-string';
import type { Root } from 'mdast';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { defined } from '../../shared/checked-access.ts';
import type { Heading, Language, Layout } from '../site.ts';
import { decorate, isMark } from './decorate.ts';

export interface RenderInput {
  /** Path of the page, for error messages. */
  readonly path: string;
  readonly language: Language;
  readonly layout: Layout;
  readonly filled: string;
  readonly baseUrl: string;
  /** ISO dates by the text that shows them. This text becomes a `<time>` element. */
  readonly dates: Readonly<Record<string, string>>;
}

export interface Rendered {
  readonly markdown: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

const parser = unified().use(remarkParse).use(remarkGfm);
const transformer = unified().use(remarkRehype).use(rehypeSlug);

export function render(input: RenderInput): Rendered {
  const tree = parser.parse(input.filled) as Root;
  refuseHtml(tree, input.path);
  const hast = transformer.runSync(tree) as HastRoot;
  decorate(hast, input);
  return {
    markdown: withAbsoluteLinks(input.filled, tree, input.baseUrl),
    html: toHtml(hast, { characterReferences: { useNamedReferences: true } }),
    headings: headingsOf(hast),
  };
}

/** Throws if the page has raw HTML, which would appear in only one representation. */
function refuseHtml(tree: Root, path: string): void {
  visit(tree, (node) => {
    if (node.type === 'html') throw new Error(`${path}: raw HTML: ${node.value}`);
  });
}

/** Returns the author's text with absolute links, which also work in a copy of the twin. Changes nothing else. */
function withAbsoluteLinks(text: string, tree: Root, baseUrl: string): string {
  const edits: [start: number, end: number, replacement: string][] = [];
  visit(tree, (node) => {
    if (node.type !== 'link' || !node.url.startsWith('/')) return;
    const [start, end] = [
      defined(defined(node.position).start.offset),
      defined(defined(node.position).end.offset),
    ];
    const source = text.slice(start, end);
    const at = source.lastIndexOf(`](${node.url}`);
    edits.push([start + at, end, `](${baseUrl}${source.slice(at + 2)}`]);
  });
  return edits.reduceRight((done, [start, end, by]) => done.slice(0, start) + by + done.slice(end), text);
}

function headingsOf(tree: HastRoot): Heading[] {
  const headings: Heading[] = [];
  visit(tree, { tagName: 'h2' }, (element: Element) => {
    // For the table of contents, without marks.
    const children = element.children.filter((child) => !isMark(child));
    headings.push({ id: String(element.properties.id), text: textOf({ ...element, children }).trim() });
  });
  return headings;
}
