/** Checks that all answers of the site share. */
import { expect } from 'vitest';
import type { RawResponse } from './raw-client.ts';

export const browser =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';
export const negotiated = 'Accept, Accept-Encoding';
export const htmlType = 'text/html; charset=utf-8';
export const markdownType = 'text/markdown; charset=utf-8';

export function expectHtml(response: RawResponse, status = 200): void {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe(htmlType);
  expect(response.headers.vary).toBe(negotiated);
  expect(response.text).toMatch(/^<!doctype html>/i);
}

export function expectMarkdown(response: RawResponse, status = 200): void {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe(markdownType);
  expect(response.headers.vary).toBe(negotiated);
  expect(response.text).toMatch(/^# /m);
}

/** Members in the order of the specification's table. */
const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'docs'];

export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  readonly instance: string;
  readonly baseUrl: string;
}

/** @returns `detail` */
export function expectProblem(
  response: RawResponse,
  { status, code, instance, baseUrl }: ExpectedProblem,
): string {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/problem+json');
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers.vary).toBe(negotiated);
  const problem = JSON.parse(response.text) as Record<string, string>;
  expect(Object.keys(problem)).toEqual(members);
  expect(problem).toMatchObject({
    type: `${baseUrl}/problems#${code.replaceAll('_', '-')}`,
    status,
    instance,
    code,
    docs: `${baseUrl}/problems`,
  });
  expect(problem.title).toMatch(/^[A-Z].+/);
  expect(problem.detail).toMatch(/^[A-Z].+\.$/);
  return problem.detail!;
}

/** `Link` (RFC 8288) by relation: its targets, without their attributes. */
export function linksOf(response: RawResponse): Record<string, string[]> {
  const links: Record<string, string[]> = {};
  for (const [, target, relation] of (response.headers.link ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g)) {
    links[relation!] = [...(links[relation!] ?? []), target!];
  }
  return links;
}

/** The five relations of a page; `isTwin` where the answer is its markdown. */
export function expectPageLinks(response: RawResponse, baseUrl: string, page: string, isTwin: boolean): void {
  const twin = page === '/' ? '/index.md' : `${page}.md`;
  expect(linksOf(response)).toEqual({
    alternate: [baseUrl + (isTwin ? page : twin)],
    canonical: [baseUrl + page],
    'service-desc': [`${baseUrl}/v1/openapi.json`],
    describedby: [`${baseUrl}/llms.txt`],
    'api-catalog': [`${baseUrl}/.well-known/api-catalog`],
  });
}
