/** Placeholders in a built site, for values that are known only at its deployment. Names below `.invalid` are never registered (RFC 6761 §6.4). */
import type { Environment } from '../environments.ts';

/** The origin of a site without a custom domain. CloudFront assigns its real name. */
export const siteNamedByCloudFront = 'https://site.kinora.invalid';

/** The origin of an API without a custom domain. API Gateway assigns its real name. */
export const apiNamedByGateway = 'https://api.kinora.invalid';

/** The SHA-256, in hexadecimal, of the token that gives access to the site. */
export const accessTokenSha256 = 'sha256-of-the-access-token-that-the-deployment-of-this-site-makes';

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
