/** Fills the placeholders of a page: `{{base_url}}`, `{{sample create-asset}}`, `{{mark getStl}}`, `{{posts}}`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../shared/checked-access.ts';
import { type Answer, type DocumentedProblem, documentedProblems } from '../problems.ts';
import { type Language, type PageSource, pathOf, type SiteEnvironment } from '../site.ts';
import { type Strings, strings } from '../templates/strings.ts';
import { type Availability, availabilityOf, type Operation, plannedOf } from './availability.ts';
import { contentFolder } from './sources.ts';

interface FillContext {
  readonly environment: SiteEnvironment;
  /** All pages, for pages that list others. */
  readonly sources: readonly PageSource[];
}

/** The whole page as markdown: heading, description, date of a post, mark and body, with all placeholders filled. */
export function fillPage(page: PageSource, context: FillContext): string {
  const date = page.date === undefined ? [] : [`*${formatDate(page.date, page.language)}*`];
  const parts = [`# ${page.heading}`, page.description, ...date, ...standing(page), page.body];
  return `${fill(parts.join('\n\n'), page, context)}\n`;
}

function standing({ operations, language }: PageSource): string[] {
  if (operations.length === 0) return [];
  const planned = plannedOf(operations);
  const list = planned.length === 0 ? '' : ` ${strings[language].refusedSoFar} ${namesOf(planned)}.`;
  return [`${markOf(availabilityOf(operations), language)}${list}`];
}

const namesOf = (operations: readonly Operation[]): string =>
  operations.map(({ id }) => `\`${id}\``).join(', ');

const markOf = (availability: Availability, language: Language): string =>
  `*${strings[language].availability[availability]}*`;

export function formatDate(iso: string, language: Language): string {
  const format = new Intl.DateTimeFormat(strings[language].locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${iso}T00:00:00Z`));
}

function fill(text: string, page: PageSource, context: FillContext): string {
  const filled = text.replace(/ ?\{\{planned ([\w ]+)\}\}/g, (_, operations: string) =>
    markUnlessItWorks(operations.split(' '), page.language),
  );
  return filled.replace(/\{\{(\w+)(?: ([\w -]+))?\}\}/g, (placeholder, name: string, argument = '') => {
    if (name === 'sample') return fill(readSample(argument), page, context);
    if (name === 'mark') return markOf(availabilityOf(argument.split(' ')), page.language);
    const write = writers[name];
    if (write === undefined) throw new Error(`${page.language}${page.slug}: unknown ${placeholder}`);
    return write(page, context);
  });
}

/** Reads a sample of a request or response. Both languages show the same samples. */
function readSample(name: string): string {
  return readFileSync(join(contentFolder, 'samples', `${name}.md`), 'utf8').trim();
}

/** The mark inside a sentence, list or table, after a space. Empty if the operations work. */
function markUnlessItWorks(operations: readonly string[], language: Language): string {
  const availability = availabilityOf(operations);
  return availability === 'works' ? '' : ` ${markOf(availability, language)}`;
}

type Writer = (page: PageSource, context: FillContext) => string;

const writers: Readonly<Record<string, Writer>> = {
  base_url: (_, { environment }) => environment.baseUrl,
  api_url: (_, { environment }) => environment.apiUrl,
  mail_domain: (_, { environment }) => environment.mailDomain,
  clone: (_, { environment: { repositoryUrl } }) =>
    repositoryUrl === undefined ? '' : `git clone ${repositoryUrl} kinora\ncd kinora\n`,
  clone_first: ({ language }, { environment: { repositoryUrl } }) =>
    repositoryUrl === undefined ? strings[language].cloneFirst : strings[language].cloneHere,
  access_log_days: (_, { environment }) => String(environment.accessLogDays),
  guides: ({ language }, { sources }) => cards(inOrder(sources, language, 'guide')),
  features: ({ language }, { sources }) => cards(inOrder(sources, language, 'feature')),
  use_cases: ({ language }, { sources }) => cards(inOrder(sources, language, 'use-case')),
  posts: ({ language }, { sources }) => cards(newestFirst(sources, language)),
  latest_posts: ({ language }, { sources }) => cards(newestFirst(sources, language).slice(0, 3)),
  problems: ({ language }) =>
    documentedProblems(language)
      .map((p) => section(p, language))
      .join('\n\n'),
};

function inOrder(sources: readonly PageSource[], language: Language, kind: PageSource['kind']): PageSource[] {
  return sources
    .filter((page) => page.language === language && page.kind === kind)
    .sort((a, b) => a.order - b.order);
}

function newestFirst(sources: readonly PageSource[], language: Language): PageSource[] {
  return inOrder(sources, language, 'post').sort((a, b) => (defined(a.date) < defined(b.date) ? 1 : -1));
}

/** Returns a list whose items begin with a strong link. The renderer shows such lists as cards. */
function cards(pages: readonly PageSource[]): string {
  return pages.map(card).join('\n');
}

function card({ title, slug, description, date, language, operations }: PageSource): string {
  const when = date === undefined ? '' : ` *${formatDate(date, language)}*`;
  const mark = operations.length === 0 ? '' : ` ${markOf(availabilityOf(operations), language)}`;
  return `- **[${title}](${pathOf(slug, language)})**${when}${mark} ${description}`;
}

function section({ code, answers }: DocumentedProblem, language: Language): string {
  return [`### \`${code}\``, ...answers.map((answer) => paragraph(answer, strings[language]))].join('\n\n');
}

function paragraph(answer: Answer, words: Strings): string {
  const by = answer.status === undefined ? words.answeredByJob : words.answeredBy(answer.by, answer.status);
  const retry = answer.retryable === undefined ? '' : ` ${answer.retryable ? words.retryable : words.final}`;
  return `**${answer.title}.** *${by}* ${answer.cure}${retry}`;
}
