/** Adds to the element tree what markdown cannot express: elements and attributes for the style sheet and for readers. */
import type { Element, ElementContent, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { itemAt, lastOf } from '../../shared/checked-access.ts';
import { anchorOf } from '../problems.ts';
import type { Language, Layout } from '../site.ts';
import { strings } from '../templates/strings.ts';
import { highlight } from './highlight.ts';

interface Context {
  readonly language: Language;
  readonly layout: Layout;
  readonly dates: Readonly<Record<string, string>>;
}

/** Changes the tree in place. Adds and removes no text, and keeps the order. */
export function decorate(tree: Root, context: Context): void {
  for (const node of tree.children) if (node.type === 'element') walk(node, context);
  tree.children = withMarkedHeadings(tree);
  if (context.layout === 'home') tree.children = sections(tree);
}

type Rule = (element: Element, context: Context) => void;

const rules: Readonly<Record<string, Rule>> = {
  pre: colourCode,
  table: scrollTable,
  ul: markCards,
  em: markEmphasis,
  h3: shortenAnchor,
  a: markExternal,
};

function walk(element: Element, context: Context): void {
  for (const child of element.children) if (child.type === 'element') walk(child, context);
  rules[element.tagName]?.(element, context);
}

/** Makes `<div class="sample"><pre>`. A wide sample scrolls, so keyboard users must be able to focus it. */
function colourCode(pre: Element): void {
  const code = pre.children[0] as Element;
  const [className = 'language-text'] = (code.properties.className ?? []) as string[];
  const language = className.replace('language-', '');
  code.properties = {};
  code.children = highlight(textOf(code).replace(/\n$/, ''), language);
  const inner: Element = { ...pre, properties: { className: ['code'], dataLang: language, tabIndex: 0 } };
  Object.assign(pre, { tagName: 'div', properties: { className: ['sample'] }, children: [inner] });
}

/**
 * Puts the table into a `<section class="scroll">`: keyboard users must be able to focus a scrolling region, and such a region needs a
 * name. A table of tracks (its first header cell is `Track` or `Pista`) is drawn as a timeline.
 */
function scrollTable(table: Element, { language }: Context): void {
  const heads: string[] = [];
  visit(table, { tagName: 'th' }, (cell: Element) => {
    heads.push(textOf(cell).trim());
  });
  const isTimeline = ['Track', 'Pista'].includes(itemAt(heads, 0));
  const inner: Element = { ...table, properties: isTimeline ? { className: ['tracks'] } : {} };
  const name = `${strings[language].table}: ${heads.join(', ')}`;
  Object.assign(table, {
    tagName: 'section',
    properties: { className: ['scroll'], ariaLabel: name, tabIndex: 0 },
    children: [inner],
  });
}

/** Marks lists in which every item begins with a strong link as lists of cards. */
function markCards(list: Element): void {
  const items = list.children.filter((child) => child.type === 'element');
  if (items.every((item) => isStrongLink(item.children[0]))) list.properties.className = ['cards'];
}

function isStrongLink(node: ElementContent | undefined): boolean {
  if (node?.type !== 'element' || node.tagName !== 'strong') return false;
  const [link] = node.children;
  return link?.type === 'element' && link.tagName === 'a';
}

/** Marks up emphasis that is the date of a post, or an availability mark. */
function markEmphasis(emphasis: Element, { dates, language }: Context): void {
  const text = textOf(emphasis);
  const date = dates[text];
  if (date !== undefined) Object.assign(emphasis, { tagName: 'time', properties: { dateTime: date } });
  const mark = Object.entries(strings[language].availability).find(([, word]) => word === text);
  if (mark !== undefined) {
    Object.assign(emphasis, { tagName: 'span', properties: { className: ['mark', mark[0]] } });
  }
}

export const isMark = (node: ElementContent): boolean =>
  node.type === 'element' &&
  node.tagName === 'span' &&
  (node.properties.className as string[])?.[0] === 'mark';

/** Moves each mark that is the paragraph after a heading into this heading. */
function withMarkedHeadings({ children }: Root): Root['children'] {
  const elements = children.filter((node) => node.type === 'element');
  const moved = new Set<Root['children'][number]>();
  elements.forEach((heading, at) => {
    const next = elements[at + 1];
    const [mark] = next?.children ?? [];
    const isMarked = /^h[23]$/.test(heading.tagName) && next?.tagName === 'p' && next.children.length === 1;
    if (next === undefined || mark === undefined || !isMarked || !isMark(mark)) return;
    heading.children.push({ type: 'text', value: ' ' }, mark);
    moved.add(next);
  });
  return children.filter((node) => !moved.has(node));
}

/** Gives the heading `page_not_found` the anchor `page-not-found`, because problem types link to it. */
function shortenAnchor(heading: Element): void {
  const [code] = heading.children;
  if (code?.type === 'element' && code.tagName === 'code') heading.properties.id = anchorOf(textOf(code));
}

function markExternal(link: Element): void {
  if (String(link.properties.href).startsWith('http')) link.properties.rel = ['noopener'];
}

/** Splits the home page into bands: the part before the first `<h2>`, then one band per `<h2>`. */
function sections({ children }: Root): Root['children'] {
  const bands: Element[] = [band('opening')];
  for (const node of children) {
    const opens = node.type === 'element' && node.tagName === 'h2';
    if (opens) bands.push(band('band'));
    if (node.type === 'element' || node.type === 'text') lastOf(bands).children.push(node);
  }
  return bands;
}

const band = (className: string): Element => ({
  type: 'element',
  tagName: className === 'band' ? 'section' : 'div',
  properties: { className: [className] },
  children: [],
});
