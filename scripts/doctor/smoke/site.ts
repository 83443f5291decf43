/** Tests whether the site serves HTML and markdown. */
import { Failure } from '../../deployment/failure.ts';
import type { Work } from './steps.ts';

export interface SmokedSite {
  /** Origin, without a slash at its end. */
  readonly url: string;
  /** A preview answers only requests with its token. */
  readonly isPublic: boolean;
}

export function siteSteps({ url, isPublic }: SmokedSite): (readonly [title: string, work: Work])[] {
  if (!isPublic) return [['Site', () => refusesStrangers(url)]];
  return [
    ['Site', () => answers(url, 'text/html', /<title>/)],
    ['Site for programs', () => answers(url, 'text/markdown', /^# /m)],
  ];
}

async function answers(url: string, type: string, shows: RegExp): Promise<string> {
  const response = await fetch(`${url}/`, { headers: { Accept: type } });
  const text = await response.text();
  const got = response.headers.get('content-type') ?? 'no type';
  if (response.status === 200 && got.startsWith(type) && shows.test(text)) return `${url}/ answers ${got}`;
  throw new Failure({
    says: `${url}/ answers ${response.status} and ${got}, where ${type} was asked for`,
    cure: 'docs/runbooks.md, "Site server errors". For some minutes after a deployment CloudFront may still serve the old version: try again.',
  });
}

async function refusesStrangers(url: string): Promise<string> {
  const { status } = await fetch(`${url}/`);
  if (status === 403) return `${url}/ refuses requests without its token`;
  throw new Failure({
    says: `${url}/ answers ${status} to a request without its token`,
    cure: 'Check site.access in the environment’s file, and deploy again.',
  });
}
