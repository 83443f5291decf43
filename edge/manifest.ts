/**
 * Constants of the edge functions, because CloudFront gives them no environment variables. The bundler replaces
 * each `EDGE.member` by its literal (toolchain/edge/bundle.ts), so a branch of another environment leaves the bundle.
 */

/** Made from the site's manifest, one an environment. */
export interface EdgeManifest {
  /** Origin of this host, without a trailing slash; empty where it is the name that CloudFront gives it. */
  readonly baseUrl: string;
  /** Origin of the product API. */
  readonly apiUrl: string;
  /** Hosts that answer one redirect to `baseUrl`. */
  readonly alternateHosts: readonly string[];
  /** Whether the host of `baseUrl` is open to everyone. */
  readonly isPublic: boolean;
  /** Hex SHA-256 of the token that opens a preview environment; empty where nothing does. */
  readonly accessTokenSha256: string;
  /** Paths of the pages without their language, e.g. `/`, `/contact`. */
  readonly slugs: readonly string[];
  /** Path prefixes of the languages but the first, e.g. `es` for `/es/contact`. Each has every slug. */
  readonly languages: readonly string[];
  /** Paths that are no pages and whose key is the path. */
  readonly resources: readonly string[];
  /** Those of `resources` that are stored as `<key>.br` and `<key>.gz` too. */
  readonly encodedResources: readonly string[];
  /** Paths of what never changes under its name: `/assets/site.N7BHYT4Z.css`. */
  readonly assets: readonly string[];
  /** Whether each of `languages` has a 404 document of its own, `_errors/es/404.html`. */
  readonly hasLocalErrors: boolean;
  /** Titles of the problems that these functions answer. */
  readonly titles: Readonly<Record<EdgeProblemCode, string>>;
}

export type EdgeProblemCode =
  | 'preview_restricted'
  | 'page_not_found'
  | 'no_api_on_this_host'
  | 'method_not_allowed'
  | 'not_acceptable';

/** The manifest as the functions see it. Lists are one string, each entry between two spaces: ` /a /b `. */
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
  /** Digests of their paths. */
  readonly assets: string;
  readonly hasLocalErrors: boolean;
  readonly previewRestricted: string;
  readonly pageNotFound: string;
  readonly noApiOnThisHost: string;
  readonly methodNotAllowed: string;
  readonly notAcceptable: string;
}

declare global {
  /** Exists in the bundles only. */
  const EDGE: EdgeConstants;
}
