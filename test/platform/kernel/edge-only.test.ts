import { describe, expect, it } from 'vitest';
import { EDGE_HEADER, requireEdge } from '../../../platform/kernel/edge-only.ts';
import { httpEvent } from '../../support/http-event.ts';

const secret = 'what CloudFront says';
const asked = (headers: Record<string, string> = {}) =>
  httpEvent({ route: 'GET /v1/assets', method: 'GET', path: '/v1/assets', headers });

describe('a request, where CloudFront stands before the API', () => {
  it('is answered where it came through CloudFront', () => {
    expect(() => requireEdge(asked({ [EDGE_HEADER]: secret }), secret)).not.toThrow();
  });

  it.each([{}, { [EDGE_HEADER]: '' }, { [EDGE_HEADER]: `${secret}!` }])(
    'that came around it, with %j, meets no route',
    (headers) => {
      const refused = expect.objectContaining({ code: 'route_not_found' });
      expect(() => requireEdge(asked(headers), secret)).toThrow(refused);
    },
  );
});

describe('a request, where nothing stands before the API', () => {
  it('is answered whatever it carries', () => {
    expect(() => requireEdge(asked(), '')).not.toThrow();
    expect(() => requireEdge(asked({ [EDGE_HEADER]: 'x' }), '')).not.toThrow();
  });
});
