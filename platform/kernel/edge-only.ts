/**
 * Where CloudFront stands before the API, only what came through it is answered: its requests carry a secret that callers do not
 * know (lib/api/protection.ts). Before anything is looked up, so that whoever goes around it costs no more than an invocation.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../shared/problems.ts';
import { environment } from '../runtime/environment.ts';
import type { HttpEvent } from './http.ts';

/** What CloudFront adds to each request; a header of that name that a caller sends is replaced by it. */
export const EDGE_HEADER = 'x-kinora-edge';

/** Throws 404 for a request that came another way. Where no secret is set, every way is the right one. */
export function requireEdge(
  { headers, rawPath, requestContext }: HttpEvent,
  secret = environment.edgeSecret,
): void {
  if (secret === '' || isSame(headers?.[EDGE_HEADER] ?? '', secret)) return;
  throw new Problem(
    'route_not_found',
    `There is no ${requestContext.http.method} ${rawPath} at this address.`,
  );
}

/** Takes the same time whatever is the same of them. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => hash('sha256', text, 'buffer');
