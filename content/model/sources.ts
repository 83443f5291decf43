/** Reads the pages as their authors wrote them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Language, type Layout, languages, type PageKind, type PageSource } from '../site.ts';
import { readDocument } from './documents.ts';

export const contentFolder = join(import.meta.dirname, '..');

interface FrontMatter {
  readonly title: string;
  readonly heading?: string;
  readonly description?: string;
  /** The document of the repository that provides the text, heading and description: `docs/api.md`. */
  readonly source?: string;
  readonly layout?: Layout;
  readonly order?: number;
  readonly date?: string;
  readonly updated: string;
  readonly operations?: readonly string[];
}

const members: Readonly<Record<keyof FrontMatter, 'string' | 'number' | 'list'>> = {
  title: 'string',
  heading: 'string',
  description: 'string',
  source: 'string',
  layout: 'string',
  order: 'number',
  date: 'string',
  updated: 'string',
  operations: 'list',
};
const required: readonly (keyof FrontMatter)[] = ['title', 'updated'];

/** Every page in every language, by path. Files are `pages/<language>/<slug>.md`. */
export function readSources(folder = join(contentFolder, 'pages')): PageSource[] {
  return languages.flatMap((language) =>
    globSync('**/*.md', { cwd: join(folder, language) })
      .sort()
      .map((file) => parseSource(file, language, readFileSync(join(folder, language, file), 'utf8'))),
  );
}

/** One file of a language. Throws if its front matter is missing, unknown or of the wrong type. */
export function parseSource(file: string, language: Language, text: string): PageSource {
  const [, yaml, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  if (yaml === undefined || body === undefined) throw new Error(`${language}/${file}: no front matter`);
  const front = checked(parse(yaml), `${language}/${file}`);
  const slug = slugOf(file);
  return {
    slug,
    language,
    kind: kindOf(slug),
    layout: front.layout ?? 'article',
    title: front.title,
    order: front.order ?? 0,
    date: front.date,
    lastmod: front.updated,
    operations: front.operations ?? [],
    ...textOf(front, body.trim(), `${language}/${file}`),
  };
}

function textOf(
  { title, heading = title, description, source }: FrontMatter,
  body: string,
  file: string,
): Pick<PageSource, 'heading' | 'description' | 'body'> {
  if (source !== undefined) {
    if (body !== '') throw new Error(`${file}: a page of ${source} has no text of its own`);
    return readDocument(source);
  }
  if (description === undefined) throw new Error(`${file}: front matter lacks description`);
  return { heading, description, body };
}

function checked(front: unknown, file: string): FrontMatter {
  const given = Object.entries(front as object);
  const wrong = given.find(([name, value]) => typeOf(value) !== members[name as keyof FrontMatter]);
  if (wrong !== undefined) throw new Error(`${file}: front matter cannot have ${wrong[0]}: ${wrong[1]}`);
  const missing = required.find((name) => !given.some(([other]) => other === name));
  if (missing !== undefined) throw new Error(`${file}: front matter lacks ${missing}`);
  return front as FrontMatter;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function slugOf(file: string): string {
  const path = file.replaceAll('\\', '/').replace(/\.md$/, '');
  return `/${path.replace(/(^|\/)index$/, '')}`;
}

function kindOf(slug: string): PageKind {
  if (slug === '/404') return 'recovery';
  if (slug.startsWith('/blog/')) return 'post';
  if (slug.startsWith('/features/')) return 'feature';
  if (slug.startsWith('/docs/')) return 'guide';
  return slug.startsWith('/use-cases/') ? 'use-case' : 'page';
}
