/** Who may read this host: everyone on the public one, holders of the access token on a preview environment. */
import type { Request, Value } from './event.ts';

/** Name of the cookie, and with `x-` before it of the header, that carries the access token. */
const credential = 'kinora-preview';

/** `require` (developer guide, "JavaScript runtime 2.0 features", Built-in modules); the bundler gives it its name. */
declare function requireOfTheRuntime(name: 'crypto'): {
  createHash(algorithm: 'sha256'): { update(data: string): { digest(encoding: 'hex'): string } };
};

export const hostOf = (request: Request): string =>
  request.headers.host ? request.headers.host.value.toLowerCase() : '';

/** Origin of the site: the one that it was built for, or the name that CloudFront gave it, under which alone it is reached. */
export const originOf = (request: Request): string => EDGE.baseUrl || `https://${hostOf(request)}`;

export function mayRead(request: Request, isAlternateHost: boolean): boolean {
  if (EDGE.isPublic) return EDGE.baseUrl === '' || isAlternateHost || hostOf(request) === EDGE.host;
  return opens(request.headers[`x-${credential}`]) || opens(request.cookies[credential]);
}

function opens(token: Value | undefined): boolean {
  if (EDGE.accessTokenSha256 === '' || !token) return false;
  const hash = requireOfTheRuntime('crypto').createHash('sha256').update(token.value).digest('hex');
  return hash === EDGE.accessTokenSha256;
}
