/**
 * If CloudFront is in front of the API, accepts only requests that came through it. They carry a secret that callers do
 * not know (lib/data/protection.ts). The check runs first, so that a request that bypasses CloudFront costs only an
 * invocation.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../shared/problems.ts';
import { environment } from '../runtime/environment.ts';
import type { HttpEvent } from './http.ts';

/**
 * CloudFront adds this header to each request, and replaces a header of that name from the caller. While the secret changes, the
 * header has the new and the previous secret, separated by a comma: functions know one of them.
 */
export const EDGE_HEADER = 'x-kinora-edge';

/** Throws 404 for a request that bypassed CloudFront. Without a secret, all requests are accepted. */
export function requireEdge(
  { headers, rawPath, requestContext }: HttpEvent,
  secret = environment.edgeSecret,
): void {
  const sent = (headers?.[EDGE_HEADER] ?? '').split(',');
  if (secret === '' || sent.some((one) => isSame(one, secret))) return;
  throw new Problem(
    'route_not_found',
    `There is no ${requestContext.http.method} ${rawPath} at this address.`,
  );
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => hash('sha256', text, 'buffer');
