/** The methods and paths of all operations. They are copied to `build/contract/routes.js` for Lambdas. */
import { operations } from '../index.ts';
import type { OperationSpec } from './operation.ts';

export interface Route {
  readonly method: string;
  /** The path in the syntax of API Gateway: `{name+}` matches the rest of a path, including slashes. */
  readonly path: string;
}

/**
 * Returns the operation's path as a route. API Gateway decodes a path before it selects the route. So an encoded slash in a caller's
 * `external_id` adds a segment ("Create routes for HTTP APIs": "API Gateway decodes URL-encoded request parameters"). Recorded events with
 * %2F are in vokerhttp/testdata/ingress-paths.json of github.com/hotsock/voker.
 */
export function routePath({ path, params }: Pick<OperationSpec, 'path' | 'params'>): string {
  const last = /\{(\w+)\}$/.exec(path)?.[1];
  if (last === undefined) return path;
  const { format } = (params as unknown as Params).properties[last]!;
  return format === 'uuid' ? path : path.replace(/\}$/, '+}');
}

interface Params {
  readonly properties: Readonly<Record<string, { readonly format?: string }>>;
}

export const routes: readonly Route[] = operations.map(({ spec }) => ({
  method: spec.method,
  path: routePath(spec),
}));
