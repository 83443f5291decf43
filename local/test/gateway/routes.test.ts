import { describe, expect, it, test } from 'vitest';
import { createRouter } from '../../gateway/routes.ts';

const routerOf = (...routeKeys: string[]) => createRouter(routeKeys.map((routeKey) => ({ routeKey })));

// "Routing API requests" in the HTTP API developer guide: these routes, and its four examples.
const documented = routerOf(
  'ANY /{proxy+}',
  'GET /pets/{proxy+}',
  'GET /pets/dog/{id}',
  'GET /pets/dog/1',
  'GET /test',
  '$default',
);

describe('the routing examples of the AWS developer guide', () => {
  test.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
    ['GET', '/pets/cat/1', 'GET /pets/{proxy+}', { proxy: 'cat/1' }],
    ['POST', '/test/5', 'ANY /{proxy+}', { proxy: 'test/5' }],
  ])('route %s %s to %s', (method, path, routeKey, pathParameters) => {
    expect(documented(method, path)).toEqual({ route: { routeKey }, pathParameters });
  });
});

describe('selection of the most specific route, in any order of the template', () => {
  const all = [
    'GET /a/{x}',
    'ANY /a/{x}',
    'GET /a/b',
    'ANY /a/b',
    'POST /{x}/b',
    'GET /a/{rest+}',
    '$default',
  ];
  test.each([
    ['a named method to ANY', 'GET', '/a/b', 'GET /a/b'],
    ['ANY for the other methods', 'PUT', '/a/b', 'ANY /a/b'],
    ['fixed text to a variable, even for ANY', 'POST', '/a/b', 'ANY /a/b'],
    ['a variable to a greedy variable', 'GET', '/a/c', 'GET /a/{x}'],
    ['a greedy variable for a deeper path', 'GET', '/a/c/d', 'GET /a/{rest+}'],
    ['a variable before fixed text to $default', 'POST', '/c/b', 'POST /{x}/b'],
    ['$default for a method without a route', 'DELETE', '/c/b', '$default'],
    ['$default for a path without a route', 'GET', '/', '$default'],
    ['$default for an empty variable', 'GET', '/a/', '$default'],
    ['$default for a path with a slash at the end', 'PUT', '/a/b/', '$default'],
  ])('prefers %s: %s %s goes to %s', (_why, method, path, routeKey) => {
    expect(routerOf(...all)(method, path)?.route.routeKey).toBe(routeKey);
    expect(routerOf(...all.toReversed())(method, path)?.route.routeKey).toBe(routeKey);
  });
});

it('prefers a full match to a greedy route with a longer fixed prefix', () => {
  expect(routerOf('GET /pets/{proxy+}', 'GET /{kind}/dog')('GET', '/pets/dog')?.route.routeKey).toBe(
    'GET /{kind}/dog',
  );
});

it('finds no route if none matches and there is no $default', () => {
  expect(routerOf('GET /a')('GET', '/b')).toBeUndefined();
});
