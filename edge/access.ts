/** Decides who may read this host: everyone may read a public host, and holders of the access token may read a preview. */
import type { Request, Value } from './event.ts';

/** Name of the cookie that contains the access token. The header has the same name with the prefix `x-`. */
const credential = 'kinora-preview';

/**
 * The runtime's `require` (developer guide, "JavaScript runtime 2.0 features", Built-in modules). The bundler renames
 * this function to `require`.
 */
declare function requireOfTheRuntime(name: 'crypto'): {
  createHash(algorithm: 'sha256'): { update(data: string): { digest(encoding: 'hex'): string } };
};

export const hostOf = (request: Request): string =>
  request.headers.host ? request.headers.host.value.toLowerCase() : '';

/** Returns the origin for which the site was built. Without one, the only name of the distribution is its CloudFront name. */
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
