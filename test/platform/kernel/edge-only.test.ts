import { afterEach, describe, expect, it, vi } from 'vitest';
import { EDGE_HEADER, requireEdge } from '../../../platform/kernel/edge-only.ts';
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { httpEvent } from '../../support/http-event.ts';

const secret = 'what CloudFront says';
const asked = (headers: Record<string, string> = {}) =>
  httpEvent({ route: 'GET /v1/assets', method: 'GET', path: '/v1/assets', headers });

describe('a request, if CloudFront is in front of the API,', () => {
  it.each([secret, `new,${secret}`, `${secret},old`])(
    'is answered if it came through CloudFront, also while the secret changes: %j',
    (sent) => {
      expect(() => requireEdge(asked({ [EDGE_HEADER]: sent }), secret)).not.toThrow();
    },
  );

  it.each([{}, { [EDGE_HEADER]: '' }, { [EDGE_HEADER]: `${secret}!,,` }])(
    'is answered like an unknown route if it bypassed CloudFront, with the headers %j',
    (headers) => {
      const refused = expect.objectContaining({ code: 'route_not_found' });
      expect(() => requireEdge(asked(headers), secret)).toThrow(refused);
    },
  );
});

describe('a request, if CloudFront is not in front of the API,', () => {
  it('is answered with any header', () => {
    expect(() => requireEdge(asked(), '')).not.toThrow();
    expect(() => requireEdge(asked({ [EDGE_HEADER]: 'x' }), '')).not.toThrow();
  });
});

describe('a function of the API, if CloudFront is in front of it,', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  it('checks that a request came through CloudFront before it looks for a key or a route', async () => {
    vi.stubEnv('EDGE_SECRET', secret);
    vi.resetModules();
    const module = await import('../../../lambdas/assets/api/assets.ts');
    const handler = module.handler as unknown as (event: HttpEvent, context: object) => Promise<HttpReply>;
    const answer = async (headers?: Record<string, string>) => {
      const { statusCode, body } = await handler(asked(headers), {});
      return [statusCode, JSON.parse(body).code];
    };
    expect(await answer()).toEqual([404, 'route_not_found']);
    expect(await answer({ [EDGE_HEADER]: secret })).toEqual([401, 'missing_credentials']);
  });
});
