/** Routes of the API reference, beside the operations of the contract. */
import type { ApiRoute } from './http-api.ts';

/** `ANY`, so that the function answers HEAD, and lists the allowed methods for others. */
export const referenceRoutes: readonly ApiRoute[] = [
  { id: 'reference', method: 'ANY', path: '/docs' },
  { id: 'referenceFile', method: 'ANY', path: '/docs/{file}' },
  { id: 'openApi', method: 'ANY', path: '/openapi.json' },
];
