/** A built site behind the emulator, as the parts of the conformance suite ask it. */
import type { ResponseUri } from '../../../../local/edge/distribution.ts';
import { expectProblem } from '../expectations.ts';
import { type Ask, type RawResponse, served } from '../raw-client.ts';

/** Has `/`, `/404`, `/contact`, `/blog` and the same below `/es`. */
export interface SiteUnderTest {
  readonly folder: string;
  readonly baseUrl: string;
  readonly alternateHost: string;
  /** Path of its style sheet. */
  readonly asset: string;
}

export interface Visit extends SiteUnderTest {
  readonly ask: Ask;
  get(target: string, accept?: string, ...headers: [string, string][]): Promise<RawResponse>;
  /** Expects it; returns its `detail`. */
  problem(response: RawResponse, status: number, code: string, instance: string): string;
}

export async function visit(site: SiteUnderTest, responseUri: ResponseUri): Promise<Visit> {
  const { baseUrl } = site;
  const ask = await served({ siteDir: site.folder, host: new URL(baseUrl).host, responseUri });
  return {
    ...site,
    ask,
    get: (target, accept, ...headers) =>
      ask({ target, headers: accept === undefined ? headers : [['Accept', accept], ...headers] }),
    problem: (response, status, code, instance) =>
      expectProblem(response, { status, code, instance, baseUrl }),
  };
}
