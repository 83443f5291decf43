import { describe, expect, it } from 'vitest';
import { readSources } from '../../../content/model/sources.ts';
import { documentedProblems, jobErrorsInSpanish, problemsInSpanish } from '../../../content/problems.ts';
import { environments, keyOf, pathOf, twinPathOf } from '../../../content/site.ts';
import { jobErrors, problems } from '../../../contract/kit/errors.ts';
import { environments as stacks } from '../../../lib/environments.ts';
import { accessLogDays } from '../../../lib/site/buckets.ts';

const sources = readSources();
const slugs = new Set(sources.map(({ slug }) => slug));

describe('the pages', () => {
  it('are those that the specification names', () => {
    const named = [
      '/',
      '/404',
      '/blog',
      '/contact',
      '/cookie-policy',
      '/privacy-policy',
      '/developers',
      '/problems',
    ];
    expect([...slugs]).toEqual(expect.arrayContaining([...named, '/features', '/use-cases', '/docs']));
  });

  it('show the same samples in both languages, in the same order', () => {
    for (const { slug, body } of sources.filter(({ language }) => language === 'en')) {
      const spanish = sources.find((other) => other.slug === slug && other.language === 'es')!;
      expect(spanish.body.match(/\{\{.*?\}\}/g), slug).toEqual(body.match(/\{\{.*?\}\}/g));
      expect(spanish.body.match(/^## /gm)?.length, slug).toBe(body.match(/^## /gm)?.length);
    }
  });

  it('keep readers in their language', () => {
    for (const { slug, body, language } of sources) {
      for (const [, target] of body.matchAll(/\]\((\/[^)#]*)/g)) {
        const isPage = slugs.has(target!) || slugs.has(target!.replace(/^\/es(?=\/|$)/, '') || '/');
        if (isPage)
          expect(/^\/es(\/|$)/.test(target!), `${language}${slug} → ${target}`).toBe(language === 'es');
      }
    }
  });

  it('date six posts, no two on one day', () => {
    const dates = sources
      .filter(({ kind, language }) => kind === 'post' && language === 'en')
      .map(({ date }) => date);
    expect(new Set(dates).size).toBe(6);
    for (const date of dates) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});

describe('addresses', () => {
  it.each([
    ['/', '/', '/index.md', 'pages/index'],
    ['/contact', '/contact', '/contact.md', 'pages/contact'],
  ])('of %s in English', (slug, path, twin, key) => {
    expect([pathOf(slug, 'en'), twinPathOf(path), keyOf(path)]).toEqual([path, twin, key]);
  });
  it.each([
    ['/', '/es', '/es.md', 'pages/es'],
    ['/contact', '/es/contact', '/es/contact.md', 'pages/es/contact'],
  ])('of %s in Spanish', (slug, path, twin, key) => {
    expect([pathOf(slug, 'es'), twinPathOf(path), keyOf(path)]).toEqual([path, twin, key]);
  });
});

describe('the registries of problems', () => {
  it('have Spanish words for every code', () => {
    expect(Object.keys(problemsInSpanish).sort()).toEqual(Object.keys(problems).sort());
    expect(Object.keys(jobErrorsInSpanish).sort()).toEqual(Object.keys(jobErrors).sort());
  });

  it('share one section where hosts share a code', () => {
    const shared = documentedProblems('en').find(({ code }) => code === 'method_not_allowed')!;
    expect(shared.answers.map(({ by }) => by)).toEqual(['site', 'api']);
    const both = documentedProblems('en').find(({ code }) => code === 'internal_error')!;
    expect(both.answers.map(({ by }) => by)).toEqual(['api', 'job']);
  });
});

describe('the environments', () => {
  it('have the addresses that the API is deployed with', () => {
    for (const [name, { siteUrl }] of Object.entries(stacks)) {
      expect(environments[name as keyof typeof stacks].baseUrl).toBe(siteUrl);
    }
  });

  it('state the days for which access logs are kept as the stack keeps them', () => {
    for (const { accessLogDays: stated } of Object.values(environments)) expect(stated).toBe(accessLogDays);
  });

  it('let search engines list production alone, and close previews', () => {
    const open = Object.values(environments).filter(({ indexable }) => indexable);
    expect(open.map(({ name }) => name)).toEqual(['prod']);
    expect(environments.preview.isPublic).toBe(false);
    expect(environments.prod.isPublic).toBe(true);
  });
});
