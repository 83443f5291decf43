/** Settings of the distribution, from `edge/distribution.json`. Its stack and its emulator both use them. */
import { contentSecurityPolicy } from '../../content/site.ts';
import { rootObject } from '../../edge/root.ts';

export interface DistributionSettings {
  /** Headers that CloudFront adds to every answer that is not from a function, by lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Headers of the origin that CloudFront removes. */
  readonly removedHeaders: readonly string[];
  /**
   * Key of the default root object, for `/` if no function has rewritten the path. Without it, the root would list the
   * bucket.
   */
  readonly defaultRootObject: string;
  /** URI of the object that CloudFront returns if the origin answers 404. */
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
  // This is not the object of the same name below `_errors/`: viewer-response does not run on this answer, and could
  // not remove the object's metadata.
  errorDocument: '/pages/404.html',
};
