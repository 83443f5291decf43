/**
 * Constants of the edge functions, because CloudFront gives functions no environment variables. The bundler replaces
 * each `EDGE.member` by its literal (toolchain/edge/bundle.ts). So code for other environments is left out of the
 * bundle.
 */

/** A list is one string with spaces around each entry: ` /a /b `. */
export interface EdgeConstants {
  /** Origin of this host, without a trailing slash. Empty if the host only has the name that CloudFront assigned. */
  readonly baseUrl: string;
  readonly host: string;
  /** Origin of the product API. */
  readonly apiUrl: string;
  /** Hosts that redirect every request to `baseUrl`. */
  readonly alternateHosts: string;
  /** Whether the host of `baseUrl` is open to everyone. */
  readonly isPublic: boolean;
  /** SHA-256, in hexadecimal, of the token that opens a preview environment. Empty if there is no token. */
  readonly accessTokenSha256: string;
  /** Paths of the pages without their language, e.g. `/`, `/contact`. */
  readonly slugs: string;
  /**
   * Matches a language's prefix and captures the language: `^\/(es)(?=\/|$)`. The first language has no prefix. Each
   * language has all pages.
   */
  readonly languages: string;
  /** Paths of objects that are not pages. Their key equals the path. */
  readonly resources: string;
  /** Members of `resources` that are also stored compressed, as `<key>.br` and `<key>.gz`. */
  readonly encodedResources: string;
  /** Digests of the paths of files whose content never changes under the same name: `/assets/site.N7BHYT4Z.css`. */
  readonly assets: string;
  /** Whether each language has its own 404 document, such as `_errors/es/404.html`. */
  readonly hasLocalErrors: boolean;
  /** Titles of the problems that these functions return. */
  readonly previewRestricted: string;
  readonly pageNotFound: string;
  readonly noApiOnThisHost: string;
  readonly methodNotAllowed: string;
  readonly notAcceptable: string;
}

declare global {
  /** Exists only in bundles: the bundler replaces its members. */
  const EDGE: EdgeConstants;
}
