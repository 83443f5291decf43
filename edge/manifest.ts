/**
 * Constants of the edge functions, because CloudFront gives functions no environment variables. The bundler replaces
 * each `EDGE.member` by its literal (toolchain/edge/bundle.ts). So code for other environments is left out of the
 * bundle.
 */

/** The edge manifest of one environment, made from the site's manifest. */
export interface EdgeManifest {
  /** Origin of this host, without a trailing slash. Empty if the host only has the name that CloudFront assigned. */
  readonly baseUrl: string;
  /** Origin of the product API. */
  readonly apiUrl: string;
  /** Hosts that redirect every request to `baseUrl`. */
  readonly alternateHosts: readonly string[];
  /** Whether the host of `baseUrl` is open to everyone. */
  readonly isPublic: boolean;
  /** SHA-256, in hexadecimal, of the token that opens a preview environment. Empty if there is no token. */
  readonly accessTokenSha256: string;
  /** Paths of the pages without their language, e.g. `/`, `/contact`. */
  readonly slugs: readonly string[];
  /** Path prefixes of all languages except the first, e.g. `es` for `/es/contact`. Each language has all pages. */
  readonly languages: readonly string[];
  /** Paths of objects that are not pages. Their key equals the path. */
  readonly resources: readonly string[];
  /** Members of `resources` that are also stored compressed, as `<key>.br` and `<key>.gz`. */
  readonly encodedResources: readonly string[];
  /** Paths of files whose content never changes under the same name: `/assets/site.N7BHYT4Z.css`. */
  readonly assets: readonly string[];
  /** Whether each of `languages` has its own 404 document, such as `_errors/es/404.html`. */
  readonly hasLocalErrors: boolean;
  /** Titles of the problems that these functions return. */
  readonly titles: Readonly<Record<EdgeProblemCode, string>>;
}

export type EdgeProblemCode =
  | 'preview_restricted'
  | 'page_not_found'
  | 'no_api_on_this_host'
  | 'method_not_allowed'
  | 'not_acceptable';

/** The manifest in the form that the functions use. A list is one string with spaces around each entry: ` /a /b `. */
export interface EdgeConstants {
  readonly baseUrl: string;
  readonly host: string;
  readonly apiUrl: string;
  readonly alternateHosts: string;
  readonly isPublic: boolean;
  readonly accessTokenSha256: string;
  readonly slugs: string;
  /** Matches a language's prefix and captures the language: `^\/(es)(?=\/|$)`. */
  readonly languages: string;
  readonly resources: string;
  readonly encodedResources: string;
  /** Digests of the paths of assets. */
  readonly assets: string;
  readonly hasLocalErrors: boolean;
  readonly previewRestricted: string;
  readonly pageNotFound: string;
  readonly noApiOnThisHost: string;
  readonly methodNotAllowed: string;
  readonly notAcceptable: string;
}

declare global {
  /** The bundler defines it. Outside of bundles, it does not exist. */
  const EDGE: EdgeConstants;
}
