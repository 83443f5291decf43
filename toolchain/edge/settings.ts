/** Settings of the distribution that its stack and its emulator both read from `edge/distribution.json`. */
import { contentSecurityPolicy } from '../../content/site.ts';
import { rootObject } from '../../edge/root.ts';

export interface DistributionSettings {
  /** Headers that CloudFront adds to every answer that no function made, by lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Headers of the origin that it removes. */
  readonly removedHeaders: readonly string[];
  /** Key that CloudFront takes `/` for, where no function has rewritten it: without one the root would list the bucket. */
  readonly defaultRootObject: string;
  /** URI of the object that it answers a 404 of the origin with. */
  readonly errorDocument: string;
}

export const distributionSettings: DistributionSettings = {
  responseHeaders: {
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  },
  removedHeaders: ['x-amz-server-side-encryption', 'x-amz-version-id'],
  defaultRootObject: rootObject.slice(1),
  // Not its namesake below `_errors/`: viewer-response does not run on this answer to take the metadata off.
  errorDocument: '/pages/404.html',
};
