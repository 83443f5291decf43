import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, chromium, type Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, resourceNames } from '../../../../contract/index.ts';
import { plannedOperations } from '../../../../contract/kit/planned.ts';
import { tagOf } from '../../../../toolchain/openapi/tags.ts';
import { type LocalCloud, localCloud } from '../../../support/local-cloud.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let cloud: LocalCloud;
let browser: Browser;

beforeAll(async () => {
  cloud = await localCloud();
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: quiet });
});
afterAll(async () => {
  await browser?.close();
  await cloud?.remove();
});

interface Visit {
  readonly tab: Tab;
  /** Console messages, including CSP violations, and all answers except 200. */
  readonly complaints: string[];
}

async function visit(hash = ''): Promise<Visit> {
  const complaints: string[] = [];
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  tab.setDefaultTimeout(100_000);
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('requestfailed', (request) => complaints.push(`no ${request.url()}`));
  tab.on('response', (answer) => {
    if (answer.status() !== 200) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  await tab.goto(`${cloud.ready.api_url}/docs${hash}`);
  await tab.waitForSelector('.opblock-tag');
  return { tab, complaints };
}

const resourceOf = (id: string) => operations.find(({ spec }) => spec.id === id)!.resource;

/** Tags are folded until they are asked for. */
const unfold = (tab: Tab, tag: string) => tab.locator(`.opblock-tag[data-tag="${tag}"]`).click();

async function authorize(tab: Tab): Promise<void> {
  await tab.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  await tab.locator('.modal-ux input').fill(cloud.ready.api_key);
  await tab.locator('.modal-ux button[type=submit]').click();
  await tab.locator('.modal-ux .btn-done').click();
}

const listLanguages = '#operations-languages-listLanguages';

async function execute(tab: Tab, operation: string): Promise<void> {
  await tab.locator(`${operation} .execute`).click();
  await tab.waitForSelector(`${operation} .live-responses-table .response-col_status`);
}

/**
 * @param place selector of what is judged
 * @param rules those of axe-core to check; all when absent
 */
async function violationsIn(tab: Tab, place: string, rules?: readonly string[]): Promise<string[]> {
  const only = rules && { runOnly: { type: 'rule', values: rules } };
  const options = JSON.stringify({ resultTypes: ['violations'], ...only });
  await tab.evaluate(axeSource);
  const found = await tab.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(place)}, ${options})`);
  return found.violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
}

describe('the reference in Chromium', () => {
  // Read-only tests share a page, because each takes seconds to draw.
  let shown: Visit;
  beforeAll(async () => {
    shown = await visit();
  });
  afterAll(() => shown?.tab.close());

  it('opens without console messages, and loads files only from its own origin', async () => {
    const { tab, complaints } = shown;
    const files = await tab.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    );
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const file of files.filter((name) => !name.startsWith('data:'))) {
      expect(new URL(file).origin).toBe(cloud.ready.api_url);
    }
    expect(complaints).toEqual([]);
  });

  it('lists every operation of the contract', async () => {
    const { tab } = shown;
    const listed: string[] = [];
    for (const tag of new Set(resourceNames.map(tagOf))) {
      await unfold(tab, tag);
      await tab.waitForSelector('.opblock');
      listed.push(
        ...(await tab.evaluate<string[]>(
          `[...document.querySelectorAll('.opblock')].map((element) => [
            element.querySelector('.opblock-summary-method').textContent,
            element.querySelector('.opblock-summary-path').textContent.replaceAll('\\u200b', ''),
          ].join(' '))`,
        )),
      );
      await unfold(tab, tag);
      await tab.waitForSelector('.opblock', { state: 'detached' });
    }
    expect(listed.sort()).toEqual(operations.map(({ spec }) => `${spec.method} ${spec.path}`).sort());
  });

  it('marks planned operations, and shows their number for each tag', async () => {
    const { tab } = shown;
    const badge = (tag: string) => tab.locator(`.opblock-tag[data-tag="${tag}"] .planned`);
    expect(await badge('search').innerText()).toBe('planned');
    expect(await badge('assets').count()).toBe(0);
    for (const tag of new Set(plannedOperations().map(({ id }) => tagOf(resourceOf(id))))) {
      expect(await badge(tag).count(), tag).toBe(1);
    }
    await unfold(tab, 'channels');
    await tab.waitForSelector('.opblock');
    const marked = await tab.locator('.opblock:has(.planned)').allInnerTexts();
    expect(marked).toHaveLength(1);
    expect(marked[0]).toContain('Record an asset from a channel');
  });

  it('opens the operation in the URL, and updates the URL when another is opened', async () => {
    const { tab } = await visit('#/assets/createAsset');
    await tab.waitForSelector('#operations-assets-createAsset .execute');
    await unfold(tab, 'languages');
    await tab.locator(`${listLanguages} .opblock-summary-control`).click();
    await tab.waitForURL('**/docs#/languages/listLanguages');
    await tab.close();
  });

  it('calls the API with the key, and shows 200 and the call as curl', async () => {
    const { tab, complaints } = await visit('#/languages/listLanguages');
    await authorize(tab);
    await execute(tab, listLanguages);
    const live = tab.locator(`${listLanguages} .live-responses-table`);
    expect(await live.locator('.response .response-col_status').innerText()).toBe('200');
    expect(await live.locator('.response-col_description').last().innerText()).toContain('"language_id"');
    const curl = await tab.locator(`${listLanguages} .curl`).innerText();
    expect(curl).toContain(`${cloud.ready.api_url}/v1/languages`);
    expect(curl).toContain(`Authorization: Bearer ${cloud.ready.api_key}`);
    expect(complaints).toEqual([]);
    await tab.close();
  });

  it('shows an example of each error', async () => {
    const { tab } = await visit('#/languages/getLanguage');
    const answer = tab.locator('#operations-languages-getLanguage .response[data-code="404"]');
    await answer.scrollIntoViewIfNeeded();
    const shown = await answer.innerText();
    for (const text of ['"code": "resource_not_found"', '"status": 404', '"instance": "/v1/']) {
      expect(shown).toContain(text);
    }
    await tab.close();
  });

  it('sends a body, and stores the key nowhere in the browser', async () => {
    const { tab } = await visit('#/assets/createAsset');
    await tab.evaluate(`localStorage.setItem('authorized', 'what an earlier version kept')`);
    await tab.reload();
    await tab.waitForSelector('.opblock-tag');
    await authorize(tab);
    const operation = tab.locator('#operations-assets-createAsset');
    await operation.getByLabel('Request body').fill('{ "filename": "talk.mp4" }');
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table .response .response-col_status');
    expect(await status.innerText()).toBe('201');
    const kept = await tab.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`,
    );
    expect(kept).toBe('[{},{},""]');
    await tab.close();
  });

  it('has no animation if the user prefers reduced motion', async () => {
    const { tab } = shown;
    const moving = () =>
      tab.evaluate<string[]>(
        `[...document.querySelectorAll('*')].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== 'none' || transitionDuration !== '0s';
        }).map(({ className }) => className)`,
      );
    await tab.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    await tab.waitForSelector('.modal-ux');
    expect(await moving()).toEqual([]);
    await tab.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await moving()).toContain('btn modal-btn auth btn-done button');
    await tab.emulateMedia({ reducedMotion: 'reduce' });
    await tab.locator('.modal-ux .btn-done').click();
  });

  // With all operations open, axe would look at colours for minutes. A scheme changes colours and nothing else.
  it('has no axe-core violation in light and dark mode', async () => {
    const { tab } = await visit();
    const judged = async (place: string) => {
      expect(await violationsIn(tab, place)).toEqual([]);
      await tab.emulateMedia({ colorScheme: 'dark' });
      expect(await violationsIn(tab, place, ['color-contrast'])).toEqual([]);
      await tab.emulateMedia({ colorScheme: 'light' });
    };
    await tab.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    await tab.waitForSelector('.modal-ux');
    await judged('.modal-ux');
    await tab.locator('.modal-ux .btn-done').click();

    await authorize(tab);
    await unfold(tab, 'assets');
    for (const id of ['createAsset', 'listAssets', 'deleteAsset']) {
      await tab.locator(`#operations-assets-${id} .opblock-summary-control`).click();
      await tab.waitForSelector(`#operations-assets-${id} .execute`);
    }
    await execute(tab, '#operations-assets-listAssets');
    await tab.locator('.models-control').click();
    await tab.locator('.json-schema-2020-12-expand-deep-button').first().click();
    await judged('html');
    await tab.close();
  });

  it('fits a phone with a width of 320 pixels without horizontal scrolling', async () => {
    const { tab } = await visit('#/assets/createAsset');
    await tab.setViewportSize({ width: 320, height: 700 });
    expect(await tab.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
    await tab.close();
  });
});
