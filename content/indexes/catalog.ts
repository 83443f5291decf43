/** The API catalog (RFC 9727): an RFC 9264 linkset of this host's surface and the product API. */
import type { SiteView } from '../templates/site-view.ts';

export const catalogContentType =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export function apiCatalog({ environment: { baseUrl, apiUrl } }: SiteView): object {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/`,
        'service-desc': [
          target(`${baseUrl}/v1/openapi.json`, 'application/json', 'OpenAPI 3.1 of this host'),
        ],
        'service-doc': [target(`${baseUrl}/developers`, 'text/html', 'Developers')],
        'service-meta': [target(`${baseUrl}/v1/site.json`, 'application/json', 'Site metadata and policies')],
      },
      {
        anchor: `${apiUrl}/`,
        'service-desc': [
          target(`${apiUrl}/openapi.json`, 'application/json', 'OpenAPI 3.1 of the product API'),
        ],
        'service-doc': [target(`${apiUrl}/docs`, 'text/html', 'Interactive reference')],
        'service-meta': [
          target(`${baseUrl}/v1/site.json`, 'application/json', 'How to get access, and policies'),
        ],
      },
    ],
  };
}

const target = (href: string, type: string, title: string): object => ({ href, type, title });
