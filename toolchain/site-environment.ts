/** The environments with a site, with the settings that the build of the site needs. */
import type { SiteEnvironment } from '../content/site.ts';
import { type Environment, environmentNamed, environmentNames } from '../lib/environments.ts';
import { accessLogDays } from '../lib/site/buckets.ts';
import { apiOriginOf, siteOriginOf } from '../lib/site/placeholders.ts';

export async function environmentsWithSite(): Promise<string[]> {
  const environments = await Promise.all(environmentNames().map(environmentNamed));
  return environments.filter(({ site }) => site.elsewhere === undefined).map(({ name }) => name);
}

/** @throws Error if the environment does not exist */
export const siteEnvironmentNamed = async (name: string): Promise<SiteEnvironment> =>
  siteEnvironmentOf(await environmentNamed(name));

export function siteEnvironmentOf(environment: Environment): SiteEnvironment {
  const { domain, access, indexable, mailDomain, repositoryUrl } = environment.site;
  return {
    name: environment.name,
    baseUrl: siteOriginOf(environment),
    apiUrl: apiOriginOf(environment),
    alternateHosts: domain?.alternateNames ?? [],
    isPublic: access === 'public',
    // Search engines must not index a site whose name CloudFront assigned.
    indexable: indexable && domain !== undefined,
    mailDomain,
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    accessLogDays,
  };
}
