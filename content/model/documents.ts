/**
 * Documents of the repository that are pages as well. One is published where a page of the same path names it as its
 * `source`: `docs/api.md` by `content/pages/en/docs/api.md`, as `/docs/api`.
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

/** A document's first heading and first paragraph, and the rest. Throws where it begins otherwise. */
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

/** A link from file to file, with its text; what is code is left alone by whoever calls. */
const RELATIVE_LINK = /\[([^[\]]+)\]\((?![a-z][a-z+.-]*:|[/#])([^)#\s]+)(#[^)\s]*)?\)/g;

/** Links to other documents that are pages lead there; of the rest, which the site does not have, the text stays. */
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
