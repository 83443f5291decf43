/**
 * `npm run audit`: checks the licenses of all locked packages, writes the bill of materials (`npm sbom`) and asks the registry
 * for known advisories (`npm audit`). Exits with 1 if a license is not allowed, an advisory applies, or the registry has no
 * advisories. Writes the result to build/advisories.json, which `npm run release` requires.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFolder } from '../toolchain/bundle/paths.ts';
import {
  type AuditRecord,
  advisoriesFile,
  advisoriesIn,
  auditFault,
  fingerprintOf,
  folders,
  vulnerable,
} from './audit/advisories.ts';
import { type Component, refusedLicenses } from './audit/licenses.ts';

mkdirSync(buildFolder, { recursive: true });
const refused = folders.flatMap((folder, at) => {
  const bill = npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only').stdout;
  writeFileSync(join(buildFolder, at === 0 ? 'sbom.cdx.json' : 'sbom-media-image.cdx.json'), bill);
  return refusedLicenses((JSON.parse(bill) as { components: Component[] }).components);
});
for (const line of refused) console.error(`✗ ${line}`);
if (refused.length === 0) console.log('✓ All licenses are allowed. Wrote build/sbom*.cdx.json (CycloneDX).');

const audits = folders.map((folder) => npm(folder, 'audit', '--json', '--package-lock-only').stdout);
const found = audits.map(advisoriesIn);
const record: AuditRecord = {
  at: new Date().toISOString(),
  locks: fingerprintOf(folders),
  known: knownOfVulnerable(),
  found: found.reduce<number>((sum, count) => sum + (count ?? 0), 0),
};
const fault = found.includes(null) ? 'The registry answered no audit.' : auditFault(record, record.locks);
if (fault === null) writeFileSync(advisoriesFile, `${JSON.stringify(record)}\n`);
else rmSync(advisoriesFile, { force: true });
if (record.found > 0) for (const folder of folders) console.log(npm(folder, 'audit').stdout.trim());
console.log(fault === null ? '✓ No advisory applies. Wrote build/advisories.json.' : `✗ ${fault}`);
if (refused.length > 0 || fault !== null) process.exitCode = 1;

/** The number of advisories that the registry has for a package with advisories. */
function knownOfVulnerable(): number {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-audit-'));
  for (const [name, content] of Object.entries(vulnerable))
    writeFileSync(join(folder, name), JSON.stringify(content));
  const known = advisoriesIn(npm(folder, 'audit', '--json', '--package-lock-only').stdout) ?? 0;
  rmSync(folder, { recursive: true });
  return known;
}

function npm(cwd: string, ...args: string[]) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
}
