/**
 * What stands in a built site for what only its deployment knows, and the deployment fills in. Names below `.invalid` are
 * nobody's (RFC 6761 §6.4).
 */
import type { Environment } from '../environments.ts';

/** Origin of a site that answers on the name that CloudFront gives it. */
export const siteNamedByCloudFront = 'https://site.kinora.invalid';

/** Origin of an API that answers on the name that API Gateway gives it. */
export const apiNamedByGateway = 'https://api.kinora.invalid';

/** Hex SHA-256 of the token that opens the site. */
export const accessTokenSha256 = 'sha256-of-the-access-token-that-the-deployment-of-this-site-makes';

/** Origin for which the site of an environment is built. */
export const siteOriginOf = ({ site: { domain } }: Environment): string =>
  domain === undefined ? siteNamedByCloudFront : `https://${domain.name}`;

/** Origin of the API that the pages of the site name. */
export const apiOriginOf = ({ api: { domain } }: Environment): string =>
  domain === undefined ? apiNamedByGateway : `https://${domain.name}`;

/** Text by the placeholder that it takes the place of. */
export type Filling = Readonly<Record<string, string>>;

/** The text with every placeholder filled. */
export const filled = (text: string, filling: Filling): string =>
  Object.entries(filling).reduce(
    (sofar, [placeholder, value]) => sofar.replaceAll(placeholder, () => value),
    text,
  );
