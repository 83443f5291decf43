import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, chromium, type Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge } from '../../../local/edge/index.ts';
import { writeEdge } from '../../../toolchain/edge/write.ts';
import { builtSite } from '../build-site/built.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const schemes = ['light', 'dark'] as const;
/**
 * How axe-core looks: at all but colours everywhere, and at colours, which take it longest, in light and in dark by turns: pages are
 * made of the same parts. Spanish pages are the English ones in other words.
 */
const judging = (path: string, at: number) => {
  if (path.startsWith('/es')) return { light: "{ rules: { 'color-contrast': { enabled: false } } }" };
  if (at % 2 === 0) return { light: '{}' };
  return {
    light: "{ rules: { 'color-contrast': { enabled: false } } }",
    dark: "{ runOnly: { type: 'rule', values: ['color-contrast'] } }",
  };
};

const site = await builtSite();
await writeEdge(site);
const server = await startEdge({ siteDir: site.folder, port: 0 });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Runs in the page: the layout shifts so far and in the next moments, by the unit of CLS. */
const sumOfShifts = `new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 150);
})`;

interface Findings {
  readonly violations: string[];
  /** Messages on the console, and files that do not arrive. */
  readonly complaints: string[];
  readonly shifts: string[];
  readonly overflows: string[];
  /** Addresses by page. */
  readonly files: Map<string, string[]>;
}

/** Visits every page once, in one tab, and looks at it from all sides. */
async function inspectPages(): Promise<Findings> {
  const findings: Findings = { violations: [], complaints: [], shifts: [], overflows: [], files: new Map() };
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complain = (what: string): void => void findings.complaints.push(`${tab.url()}: ${what}`);
  tab.on('console', (message) => complain(message.text()));
  tab.on('pageerror', (error) => complain(error.message));
  tab.on('requestfailed', (request) => complain(`no ${request.url()}`));
  tab.on('response', (answer) => answer.status() !== 200 && complain(`${answer.status()} ${answer.url()}`));
  for (const [at, { path }] of site.manifest.pages.entries()) {
    await tab.setViewportSize({ width: 1280, height: 900 });
    await tab.goto(`${server.url}${path}`);
    await inspect(tab, path, judging(path, at), findings);
  }
  await tab.close();
  return findings;
}

async function inspect(
  tab: Tab,
  path: string,
  schemesOf: Partial<Record<(typeof schemes)[number], string>>,
  findings: Findings,
): Promise<void> {
  const score = await tab.evaluate<number>(sumOfShifts);
  if (score > 0) findings.shifts.push(`${path}: ${score}`);
  findings.files.set(path, await tab.evaluate<string[]>(loadedFiles));

  await tab.evaluate(axeSource);
  for (const [scheme, options] of Object.entries(schemesOf)) {
    await tab.emulateMedia({ colorScheme: scheme as 'light' | 'dark', reducedMotion: 'reduce' });
    const found = await tab.evaluate<axe.AxeResults>(
      `axe.run({ resultTypes: ['violations'], ...${options} })`,
    );
    for (const { id, nodes } of found.violations) {
      findings.violations.push(`${path} ${scheme}: ${id} ${nodes.map(({ target }) => target).join(' ')}`);
    }
  }

  await tab.setViewportSize({ width: 320, height: 700 });
  const width = await tab.evaluate<number>('document.documentElement.scrollWidth');
  if (width > 320) findings.overflows.push(`${path}: ${width}`);
}

const loadedFiles = `performance.getEntriesByType('resource').map(({ name }) => name)`;

describe('every page in Chromium', () => {
  let findings: Findings;
  beforeAll(async () => {
    findings = await inspectPages();
  }, 400_000);

  it('has no axe-core violation, light or dark', () => {
    expect(findings.violations).toEqual([]);
  });

  it('logs nothing to the console and loads every file', () => {
    expect(findings.complaints).toEqual([]);
  });

  it('has no layout shift while it loads', () => {
    expect(findings.shifts).toEqual([]);
  });

  it('loads at most seven files, all from its own host', () => {
    for (const [path, files] of findings.files) {
      expect(files.length, path).toBeLessThanOrEqual(7);
      for (const file of files) expect(new URL(file).origin).toBe(server.url);
    }
    expect(findings.files.size).toBe(site.manifest.pages.length);
  });

  it('fits a phone with a width of 320 pixels without horizontal scrolling', () => {
    expect(findings.overflows).toEqual([]);
  });
});

describe('a user of the site', () => {
  const open = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Tab> => {
    const context = await browser.newContext({ ...options, baseURL: server.url });
    const tab = await context.newPage();
    await tab.goto(path);
    return tab;
  };

  it('can jump to the content with the first key', async () => {
    const tab = await open('/features/uploads');
    await tab.keyboard.press('Tab');
    expect(await tab.locator(':focus').textContent()).toBe('Skip to the content');
    await tab.keyboard.press('Enter');
    expect(new URL(tab.url()).hash).toBe('#main');
  });

  it.each([
    ['/features/uploads', 'Copy', 'Copied'],
    ['/es/features/uploads', 'Copiar', 'Copiado'],
  ])('can copy a sample of %s and sees a confirmation', async (path, before, after) => {
    const tab = await open(path, { permissions: ['clipboard-read', 'clipboard-write'] });
    const button = tab.getByRole('button', { name: before, exact: true }).first();
    await button.click();
    await tab.getByRole('button', { name: after }).waitFor();
    const copied = await tab.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^POST \/v1\/assets\n/);
  });

  it('can change the language and stays on the page', async () => {
    const tab = await open('/features/uploads');
    await tab.getByRole('link', { name: 'Leer en español' }).click();
    expect(new URL(tab.url()).pathname).toBe('/es/features/uploads');
    expect(await tab.locator('html').getAttribute('lang')).toBe('es');
    await tab.getByRole('link', { name: 'Read in English' }).click();
    expect(new URL(tab.url()).pathname).toBe('/features/uploads');
  });

  it('has everything except the copy buttons without scripts', async () => {
    const tab = await open('/features/uploads', { javaScriptEnabled: false });
    expect(await tab.getByRole('button').count()).toBe(0);
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Uploads that cannot lose a part',
    );
  });

  it.each(['/', '/es'])(
    'finds the other language next to the name of the site at any width: %s',
    async (path) => {
      const tab = await open(path);
      for (const width of [320, 700, 1000, 1247, 1248, 1280]) {
        await tab.setViewportSize({ width, height: 700 });
        const place = (selector: string) =>
          tab.evaluate<number>(`document.querySelector('${selector}').offsetTop`);
        const [name, language] = await Promise.all([place('.brand'), place('.language')]);
        expect(Math.abs(name - language), `${width}`).toBeLessThan(8);
      }
    },
  );

  it('can distinguish the marks of working and planned features without colors', async () => {
    const tab = await open('/features/search');
    const lineOf = (kind: string) =>
      tab.evaluate<string>(`getComputedStyle(document.querySelector('.mark.${kind}')).borderStyle`);
    expect(await lineOf('planned')).not.toBe(await lineOf('works'));
  });

  it.each(schemes)('gets a %s page if the browser prefers it', async (colorScheme) => {
    const tab = await open('/blog', { colorScheme });
    const background = await tab.evaluate<string>(
      'getComputedStyle(document.documentElement).backgroundColor',
    );
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(16, 21, 28)' : 'rgb(244, 246, 248)');
  });

  it('sees no animation if the browser prefers reduced motion', async () => {
    const tab = await open('/', { reducedMotion: 'reduce' });
    expect(await tab.evaluate<number>('document.getAnimations().length')).toBe(0);
  });
});
