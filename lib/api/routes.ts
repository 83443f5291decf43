/**
 * The routes of the HTTP API, made from the contract. HEAD is answered wherever GET is: a path whose operations are one
 * function's takes every method with one ANY route, and its function says which of them are allowed. That takes fewer
 * resources than a route an operation, of the 500 that a stack may have; a HEAD route beside each GET would take more.
 */
import { operations, type ResourceName } from '../../contract/index.ts';
import { routePath } from '../../contract/kit/routes.ts';
import { pascalCase } from '../shared/case.ts';
import type { ApiRoute } from './http-api.ts';

export interface ResourceRoute extends ApiRoute {
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

/** Of one path. What has no GET needs no HEAD. */
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
