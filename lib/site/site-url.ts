/** Where the documentation site of an environment answers, which problem types point to. */
import type { Environment } from '../environments.ts';
import { siteOriginOf } from './placeholders.ts';
import type { SiteStack } from './site-stack.ts';

/**
 * @param site absent where somebody else deploys the site, and where it is left out: the local cloud says by itself where
 *   it serves it
 */
export const siteUrlOf = (environment: Environment, site: SiteStack | undefined): string =>
  environment.site.elsewhere ?? site?.url ?? siteOriginOf(environment);
