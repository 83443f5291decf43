/**
 * `npm run audit`: checks the licenses of all locked packages, writes the bill of materials (`npm sbom`) and asks the registry
 * for known advisories (`npm audit`). Exits with 1 if a license is not allowed or an advisory applies.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder, root } from '../toolchain/bundle/paths.ts';
import { type Component, refusedLicenses } from './audit/licenses.ts';

/** The second lock file is compiled into the container image of the media steps. */
const folders = [root, join(root, 'lib', 'jobs', 'media-image', 'client')];

mkdirSync(buildFolder, { recursive: true });
const refused = folders.flatMap((folder, at) => {
  const bill = npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only').stdout;
  writeFileSync(join(buildFolder, at === 0 ? 'sbom.cdx.json' : 'sbom-media-image.cdx.json'), bill);
  return refusedLicenses((JSON.parse(bill) as { components: Component[] }).components);
});
for (const line of refused) console.error(`✗ ${line}`);
if (refused.length === 0) console.log('✓ All licenses are allowed. Wrote build/sbom*.cdx.json (CycloneDX).');

const audits = folders.map((folder) => npm(folder, 'audit'));
for (const { stdout, stderr } of audits) console.log((stdout || stderr).trim());
if (refused.length > 0 || audits.some(({ status }) => status !== 0)) process.exitCode = 1;

function npm(cwd: string, ...args: string[]) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
}
