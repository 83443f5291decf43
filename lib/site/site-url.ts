/** Origin of the documentation site of an environment. The types of problems link to it. */
import type { Environment } from '../environments.ts';
import { siteOriginOf } from './placeholders.ts';
import type { SiteStack } from './site-stack.ts';

/** @param site absent if the site is deployed elsewhere or left out; the local cloud sets the address of its own site */
export const siteUrlOf = (environment: Environment, site: SiteStack | undefined): string =>
  environment.site.elsewhere ?? site?.url ?? siteOriginOf(environment);
