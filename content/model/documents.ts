/**
 * Documents of the repository that are also pages. A page with the same path publishes a document by naming it as its
 * `source`: `content/pages/en/docs/api.md` publishes `docs/api.md` as `/docs/api`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { PageSource } from '../site.ts';

const root = join(import.meta.dirname, '../..');

type Document = Pick<PageSource, 'heading' | 'description' | 'body'>;

/** @param path from the root of the repository */
export function readDocument(path: string): Document {
  return parseDocument(path, readFileSync(join(root, path), 'utf8'));
}

/** The first heading, the first paragraph and the rest of a document. Throws if the document does not begin with a heading and a paragraph. */
export function parseDocument(path: string, text: string): Document {
  const [, heading, description, body] = /^# (.+)\n\n(.+(?:\n.+)*)\n\n([\s\S]*)$/.exec(text) ?? [];
  if (heading === undefined || description === undefined || body === undefined) {
    throw new Error(`${path} does not begin with a heading and a paragraph`);
  }
  return {
    heading,
    description: description.replaceAll('\n', ' '),
    body: withLinksOfSite(path, body.trim()),
  };
}

/** Matches a relative link and its text. It also matches in code, which the caller skips. */
const RELATIVE_LINK = /\[([^[\]]+)\]\((?![a-z][a-z+.-]*:|[/#])([^)#\s]+)(#[^)\s]*)?\)/g;

/** Changes links to documents into links to their pages. If a document has no page, the link becomes plain text. */
function withLinksOfSite(path: string, body: string): string {
  const parts = body.split(/(^```.*?^```$)/ms);
  return parts.map((part) => (part.startsWith('```') ? part : linked(path, part))).join('');
}

const linked = (path: string, prose: string): string =>
  prose.replace(RELATIVE_LINK, (_, text: string, target: string, fragment = '') => {
    const file = posix.join(posix.dirname(path), target);
    const isPage = existsSync(join(import.meta.dirname, '../pages/en', file)) && file.endsWith('.md');
    return isPage ? `[${text}](/${file.replace(/\.md$/, '')}${fragment})` : text;
  });
