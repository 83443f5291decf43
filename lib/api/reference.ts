/** Where the API reference answers, beside the operations of the contract. */
import type { ApiRoute } from './http-api.ts';

/** Every method, so that HEAD is answered, and what is not allowed is told what is. */
export const referenceRoutes: readonly ApiRoute[] = [
  { id: 'reference', method: 'ANY', path: '/docs' },
  { id: 'referenceFile', method: 'ANY', path: '/docs/{file}' },
  { id: 'openApi', method: 'ANY', path: '/openapi.json' },
];
