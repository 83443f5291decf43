/**
 * The routes of the HTTP API, derived from the contract. A path whose operations belong to one function has one ANY route, and the
 * function checks the method. So HEAD works for every GET. More routes, one for each operation or a HEAD for each GET, would need
 * too many of the 500 resources of a stack.
 */
import { operations, type ResourceName } from '../../contract/index.ts';
import { routePath } from '../../contract/kit/routes.ts';
import { pascalCase } from '../shared/names.ts';
import type { ApiRoute } from './http-api.ts';

interface ResourceRoute extends ApiRoute {
  readonly resource: ResourceName;
}

interface Operation {
  readonly resource: ResourceName;
  readonly method: string;
  readonly path: string;
}

const byPath = Map.groupBy(
  operations.map(
    ({ resource, spec }): Operation => ({ resource, method: spec.method, path: routePath(spec) }),
  ),
  ({ path }) => path,
);

export const routes: readonly ResourceRoute[] = [...byPath.values()].flatMap((all) =>
  routesOf(all).map((route) => ({
    ...route,
    id: `${pascalCase(route.method.toLowerCase())}${nameOf(route.path)}`,
  })),
);

/** Returns the routes of one path. Adds a HEAD only if the path has a GET. */
function routesOf(all: readonly Operation[]): Operation[] {
  const [first] = all;
  const get = all.find(({ method }) => method === 'GET');
  if (get === undefined) return [...all];
  const isOfOne = all.every(({ resource }) => resource === first!.resource);
  return isOfOne ? [{ ...first!, method: 'ANY' }] : [...all, { ...get, method: 'HEAD' }];
}

/** `/v1/assets/{asset_id}/faces` → `AssetsAssetIdFaces`. */
function nameOf(path: string): string {
  const words = path.replace(/^\/v1\//, '').replace(/[{}+]/g, '');
  return pascalCase(words.replace(/[/_]/g, '-'));
}

/** The routes of the API reference. They match `ANY` method, because the function itself answers HEAD and refuses other methods. */
export const referenceRoutes: readonly ApiRoute[] = [
  { id: 'reference', method: 'ANY', path: '/docs' },
  { id: 'referenceFile', method: 'ANY', path: '/docs/{file}' },
  { id: 'openApi', method: 'ANY', path: '/openapi.json' },
];
