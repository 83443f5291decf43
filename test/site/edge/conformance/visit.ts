/** A built site behind the emulator, as the parts of the conformance suite ask it. */
import { afterAll, beforeAll } from 'vitest';
import type { ResponseUri } from '../../../../local/edge/distribution.ts';
import { type Edge, startEdge } from '../../../../local/edge/index.ts';
import { expectProblem } from '../expectations.ts';
import { type RawRequest, type RawResponse, rawClient } from '../raw-client.ts';

/** Has `/`, `/404`, `/contact`, `/blog` and the same below `/es`. */
export interface SiteUnderTest {
  readonly folder: string;
  readonly baseUrl: string;
  readonly alternateHost: string;
  /** Path of its style sheet. */
  readonly asset: string;
}

export interface Visit {
  /** Known once the tests run. */
  readonly baseUrl: string;
  readonly alternateHost: string;
  readonly asset: string;
  ask(request: RawRequest): Promise<RawResponse>;
  get(target: string, accept?: string, ...headers: [string, string][]): Promise<RawResponse>;
  /** Expects it; returns its `detail`. */
  problem(response: RawResponse, status: number, code: string, instance: string): string;
}

/** Within `describe`: opens the site before its tests and closes it after them. */
export function visit(open: () => Promise<SiteUnderTest>, responseUri: ResponseUri): Visit {
  let site: SiteUnderTest;
  let edge: Edge;
  beforeAll(async () => {
    site = await open();
    edge = await startEdge({ siteDir: site.folder, port: 0, responseUri });
  });
  afterAll(() => edge?.close());

  const ask = (request: RawRequest) => rawClient(edge.url, new URL(site.baseUrl).host)(request);
  return {
    get baseUrl() {
      return site.baseUrl;
    },
    get alternateHost() {
      return site.alternateHost;
    },
    get asset() {
      return site.asset;
    },
    ask,
    get: (target, accept, ...headers) =>
      ask({ target, headers: accept === undefined ? headers : [['Accept', accept], ...headers] }),
    problem: (response, status, code, instance) =>
      expectProblem(response, { status, code, instance, baseUrl: site.baseUrl }),
  };
}
