/**
 * Placeholders in a built site for values that only its deployment knows. Names below `.invalid` belong to no one (RFC
 * 6761 §6.4).
 */
import type { Environment } from '../environments.ts';

/** Origin of a site without a custom domain, which CloudFront names. */
export const siteNamedByCloudFront = 'https://site.kinora.invalid';

/** Origin of an API without a custom domain, which API Gateway names. */
export const apiNamedByGateway = 'https://api.kinora.invalid';

/** Hex SHA-256 of the token that opens the site. */
export const accessTokenSha256 = 'sha256-of-the-access-token-that-the-deployment-of-this-site-makes';

/** Origin of the site of an environment, for its build. */
export const siteOriginOf = ({ site: { domain } }: Environment): string =>
  domain === undefined ? siteNamedByCloudFront : `https://${domain.name}`;

export const apiOriginOf = ({ api: { domain } }: Environment): string =>
  domain === undefined ? apiNamedByGateway : `https://${domain.name}`;

export type Filling = Readonly<Record<string, string>>;

export const filled = (text: string, filling: Filling): string =>
  Object.entries(filling).reduce(
    (sofar, [placeholder, value]) => sofar.replaceAll(placeholder, () => value),
    text,
  );
