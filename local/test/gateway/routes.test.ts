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

describe('the examples of the developer guide', () => {
  test.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
    ['GET', '/pets/cat/1', 'GET /pets/{proxy+}', { proxy: 'cat/1' }],
    ['POST', '/test/5', 'ANY /{proxy+}', { proxy: 'test/5' }],
  ])('%s %s takes %s', (method, path, routeKey, pathParameters) => {
    expect(documented(method, path)).toEqual({ route: { routeKey }, pathParameters });
  });
});

describe('the most specific route is taken in every order of the template', () => {
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
    ['a named method before ANY', 'GET', '/a/b', 'GET /a/b'],
    ['ANY for the other methods', 'PUT', '/a/b', 'ANY /a/b'],
    ['text before a variable, ANY or not', 'POST', '/a/b', 'ANY /a/b'],
    ['a variable before a greedy one', 'GET', '/a/c', 'GET /a/{x}'],
    ['a greedy one for what is deeper', 'GET', '/a/c/d', 'GET /a/{rest+}'],
    ['a variable further left', 'POST', '/c/b', 'POST /{x}/b'],
    ['$default for a method that no route has', 'DELETE', '/c/b', '$default'],
    ['$default for all else', 'GET', '/', '$default'],
    ['$default for an empty variable', 'GET', '/a/', '$default'],
    ['$default for a path that goes on', 'PUT', '/a/b/', '$default'],
  ])('%s: %s %s takes %s', (_why, method, path, routeKey) => {
    expect(routerOf(...all)(method, path)?.route.routeKey).toBe(routeKey);
    expect(routerOf(...all.toReversed())(method, path)?.route.routeKey).toBe(routeKey);
  });
});

it('takes a full match before a greedy route whose text goes further', () => {
  expect(routerOf('GET /pets/{proxy+}', 'GET /{kind}/dog')('GET', '/pets/dog')?.route.routeKey).toBe(
    'GET /{kind}/dog',
  );
});

it('finds nothing when there is no $default', () => {
  expect(routerOf('GET /a')('GET', '/b')).toBeUndefined();
});
