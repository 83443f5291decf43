/** Selects the route of a request, by the rules of "Routing API requests" in the HTTP API developer guide. */
export type Match<Route> = { route: Route; pathParameters: Record<string, string> };

type Pattern<Route> = { route: Route; method: string; segments: string[] };

/**
 * Finds the most specific route for a method and a decoded path. A full match is preferred to a greedy match. A text segment is
 * preferred to a variable; segments are compared from the left. A named method is preferred to ANY. `$default` matches all other
 * requests.
 */
export function createRouter<Route extends { routeKey: string }>(
  routes: Route[],
): (method: string, path: string) => Match<Route> | undefined {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');
  const patterns = routes
    .filter((route) => route !== fallback)
    .map(readPattern)
    .sort(bySpecificity);

  return (method, path) => {
    const segments = path.split('/').slice(1);
    for (const pattern of patterns) {
      const isForMethod = pattern.method === method || pattern.method === 'ANY';
      const pathParameters = isForMethod ? matchSegments(pattern.segments, segments) : undefined;
      if (pathParameters) return { route: pattern.route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}

function readPattern<Route extends { routeKey: string }>(route: Route): Pattern<Route> {
  const [method = '', path = ''] = route.routeKey.split(' ');
  return { route, method, segments: path.split('/').slice(1) };
}

function matchSegments(pattern: string[], path: string[]): Record<string, string> | undefined {
  const greedy = isGreedy(pattern);
  if (greedy ? path.length < pattern.length : path.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const isRest = greedy && index === pattern.length - 1;
    const actual = isRest ? path.slice(index).join('/') : path[index];
    if (!expected.startsWith('{')) {
      if (actual !== expected) return undefined;
      continue;
    }
    // A variable does not match an empty segment: `/pets/` does not match `/pets/{id}`.
    if (!actual) return undefined;
    parameters[expected.replace(/^\{|\+?\}$/g, '')] = actual;
  }
  return parameters;
}

/** Sorts greedy routes last. Then compares the first segment that differs in kind. If there is no difference, a named method is first. */
function bySpecificity(left: Pattern<unknown>, right: Pattern<unknown>): number {
  const greed = Number(isGreedy(left.segments)) - Number(isGreedy(right.segments));
  if (greed !== 0) return greed;
  const length = Math.min(left.segments.length, right.segments.length);
  for (let index = 0; index < length; index += 1) {
    const difference = vagueness(left.segments[index]) - vagueness(right.segments[index]);
    if (difference !== 0) return difference;
  }
  return Number(left.method === 'ANY') - Number(right.method === 'ANY');
}

function isGreedy(segments: string[]): boolean {
  return segments.at(-1)?.endsWith('+}') ?? false;
}

function vagueness(segment = ''): number {
  if (!segment.startsWith('{')) return 0;
  return segment.endsWith('+}') ? 2 : 1;
}
