/** The public site, built once for all tests of a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, SiteManifest } from '../../../content/site.ts';
import { buildSite } from '../../../content/site-build.ts';
import { production } from '../../support/site-environments.ts';

export const environment = production;
export const now = new Date('2026-11-21T12:00:00Z');

export interface BuiltSite {
  readonly folder: string;
  readonly manifest: SiteManifest;
  readonly pages: readonly Page[];
  /** Text of an object. Throws if the object does not exist. */
  readonly read: (key: string) => string;
  readonly readJson: <Value>(key: string) => Value;
}

/** Its folder is kept between runs: pictures take seconds to draw. */
export async function builtSite(): Promise<BuiltSite> {
  const folder = join(import.meta.dirname, '../../../build/site-of-tests');
  const { manifest, pages } = await buildSite({ environment, folder, now });
  const read = (key: string): string => readFileSync(join(folder, 'objects', key), 'utf8');
  return { folder, manifest, pages, read, readJson: (key) => JSON.parse(read(key)) };
}
