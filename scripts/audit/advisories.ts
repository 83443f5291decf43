/**
 * The record of `npm audit`, which a release requires. A registry without a database of advisories answers that it found no advisories.
 * So the audit also asks for a package with advisories, and accepts only a registry that reports them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder, root } from '../../toolchain/bundle/paths.ts';

/** The folders with lock files. The second is compiled into the container image of the media steps. */
export const folders = [root, join(root, 'lib', 'jobs', 'media-image', 'client')];
export const advisoriesFile = join(buildFolder, 'advisories.json');

export interface AuditRecord {
  readonly at: string;
  /** The fingerprint of the lock files that were audited. */
  readonly locks: string;
  /** The number of advisories that the registry has for lodash 4.17.4, which has several. */
  readonly known: number;
  /** The number of advisories for the locked packages. */
  readonly found: number;
}

/** A lock file with a package that has advisories (GHSA-jf85-cpcp-j695 among them). */
export const vulnerable = {
  'package.json': { name: 'vulnerable', version: '1.0.0', dependencies: { lodash: '4.17.4' } },
  'package-lock.json': {
    name: 'vulnerable',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'vulnerable', version: '1.0.0', dependencies: { lodash: '4.17.4' } },
      'node_modules/lodash': { version: '4.17.4' },
    },
  },
};

export const fingerprintOf = (of: readonly string[]): string =>
  createHash('sha256')
    .update(of.map((folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8')).join('\n'))
    .digest('hex');

/** The number of advisories in the output of `npm audit --json`; null if the registry gave none. */
export function advisoriesIn(output: string): number | null {
  try {
    const report = JSON.parse(output) as { metadata?: { vulnerabilities?: { total?: number } } };
    return report.metadata?.vulnerabilities?.total ?? null;
  } catch {
    return null;
  }
}

/** Returns the reason why the record allows no release; null if it allows one. */
export function auditFault(record: AuditRecord | null, locks: string): string | null {
  if (record === null) return 'There is no record of an audit.';
  if (record.locks !== locks) return 'The lock files changed after the audit.';
  if (record.known === 0) return 'The registry of the audit knows no advisories.';
  return record.found > 0 ? `${record.found} advisories apply.` : null;
}

/** The record of the last audit; null before the first. */
export const lastAudit = (): AuditRecord | null =>
  existsSync(advisoriesFile) ? (JSON.parse(readFileSync(advisoriesFile, 'utf8')) as AuditRecord) : null;
