/** Builds the page model: every page of both languages, rendered once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../shared/checked-access.ts';
import type { Cache } from '../output/write.ts';
import { languages, type Page, type PageSource, pathOf, type SiteEnvironment, twinPathOf } from '../site.ts';
import { strings } from '../templates/strings.ts';
import { availabilityOf } from './availability.ts';
import { fillPage, formatDate } from './fill.ts';
import type { Rendered, RenderInput } from './render.ts';

/** Pages by path. Throws if a page exists in only one language. */
export async function makePages(
  sources: readonly PageSource[],
  environment: SiteEnvironment,
  cache: Cache,
): Promise<Page[]> {
  requireBothLanguages(sources);
  const renderer = rendererVersion();
  const pages = sources.map(async (source) => {
    const { body, ...facts } = source;
    const input = inputOf(source, sources, environment);
    const rendered = await cache.get('page.json', [renderer, JSON.stringify(input)], () => renderNow(input));
    const alternates = Object.fromEntries(languages.map((other) => [other, pathOf(source.slug, other)]));
    return {
      ...facts,
      ...standingOf(source),
      ...(JSON.parse(rendered.toString()) as Rendered),
      path: input.path,
      twinPath: twinPathOf(input.path),
      alternates: alternates as Page['alternates'],
    };
  });
  return (await Promise.all(pages)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the availability of a page. If only a part works, adds this to the description, which indexes show. */
function standingOf({
  operations,
  description,
  language,
}: PageSource): Pick<Page, 'availability' | 'description'> {
  if (operations.length === 0) return { availability: undefined, description };
  const availability = availabilityOf(operations);
  const mark = availability === 'works' ? '' : `${strings[language].availability[availability]}. `;
  return { availability, description: mark + description };
}

function requireBothLanguages(sources: readonly PageSource[]): void {
  for (const { slug, language } of sources) {
    const missing = languages.find((other) => !sources.some((s) => s.slug === slug && s.language === other));
    if (missing !== undefined) throw new Error(`${slug} exists in ${language} but not in ${missing}`);
  }
}

function inputOf(
  source: PageSource,
  sources: readonly PageSource[],
  environment: SiteEnvironment,
): RenderInput {
  const { slug, language, layout } = source;
  const dated = sources.filter((page) => page.language === language && page.date !== undefined);
  return {
    path: pathOf(slug, language),
    language,
    layout,
    filled: fillPage(source, { environment, sources }),
    baseUrl: environment.baseUrl,
    dates: Object.fromEntries(dated.map(({ date }) => [formatDate(defined(date), language), defined(date)])),
  };
}

/** Loads the markdown parser only if a page changed. */
async function renderNow(input: RenderInput): Promise<Buffer> {
  const { render } = await import('./render.ts');
  return Buffer.from(JSON.stringify(render(input)));
}

function rendererVersion(): string {
  const files = ['render.ts', 'decorate.ts', 'highlight.ts', '../templates/strings.ts'];
  return files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\0');
}
