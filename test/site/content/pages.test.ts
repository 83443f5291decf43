import { describe, expect, it } from 'vitest';
import { readSources } from '../../../content/model/sources.ts';
import { documentedProblems, jobErrorsInSpanish, problemsInSpanish } from '../../../content/problems.ts';
import { localSite } from '../../../content/site.ts';
import { jobErrors, problems } from '../../../contract/kit/errors.ts';
import { environmentNamed } from '../../../lib/environments.ts';
import { accessLogDays } from '../../../lib/site/buckets.ts';
import { environmentsWithSite, siteEnvironmentOf } from '../../../toolchain/site-environment.ts';

const sources = readSources();
const slugs = new Set(sources.map(({ slug }) => slug));

describe('the pages', () => {
  it('are those in the specification', () => {
    const named = ['/', '/404', '/blog', '/contact', '/cookie-policy', '/privacy-policy', '/developers'];
    const more = ['/problems', '/features', '/use-cases', '/docs'];
    expect([...slugs]).toEqual(expect.arrayContaining([...named, ...more]));
  });

  it('show the same samples in both languages, in the same order', () => {
    for (const { slug, body } of sources.filter(({ language }) => language === 'en')) {
      const spanish = sources.find((other) => other.slug === slug && other.language === 'es')!;
      expect(spanish.body.match(/\{\{.*?\}\}/g), slug).toEqual(body.match(/\{\{.*?\}\}/g));
      expect(spanish.body.match(/^## /gm)?.length, slug).toBe(body.match(/^## /gm)?.length);
    }
  });

  it('link only to pages in their own language', () => {
    for (const { slug, body, language } of sources) {
      for (const [, target] of body.matchAll(/\]\((\/[^)#]*)/g)) {
        const isPage = slugs.has(target!) || slugs.has(target!.replace(/^\/es(?=\/|$)/, '') || '/');
        if (isPage)
          expect(/^\/es(\/|$)/.test(target!), `${language}${slug} → ${target}`).toBe(language === 'es');
      }
    }
  });
});

describe('the registries of problems', () => {
  it('have Spanish texts for every code', () => {
    expect(Object.keys(problemsInSpanish).sort()).toEqual(Object.keys(problems).sort());
    expect(Object.keys(jobErrorsInSpanish).sort()).toEqual(Object.keys(jobErrors).sort());
  });

  it('have one section for a code that several hosts use', () => {
    const shared = documentedProblems('en').find(({ code }) => code === 'method_not_allowed')!;
    expect(shared.answers.map(({ by }) => by)).toEqual(['site', 'api']);
    const both = documentedProblems('en').find(({ code }) => code === 'internal_error')!;
    expect(both.answers.map(({ by }) => by)).toEqual(['api', 'job']);
  });
});

describe('the environments', () => {
  const shipped = async () =>
    (await Promise.all((await environmentsWithSite()).map(environmentNamed))).map(siteEnvironmentOf);

  it('state the same number of days for access logs as the stack', async () => {
    for (const { accessLogDays: stated } of [localSite, ...(await shipped())]) {
      expect(stated).toBe(accessLogDays);
    }
  });

  it('allow search engines only in production with a custom domain, and protect previews', async () => {
    expect((await shipped()).filter(({ indexable }) => indexable)).toEqual([]);
    const domain = {
      name: 'kinora.example',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    };
    const prod = await environmentNamed('prod');
    expect(siteEnvironmentOf({ ...prod, site: { ...prod.site, domain } }).indexable).toBe(true);
    const closed = (await shipped()).filter(({ isPublic }) => !isPublic);
    expect(closed.map(({ name }) => name)).toEqual(['preview']);
  });
});
