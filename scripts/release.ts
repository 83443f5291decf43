/** `npm run release`: writes the release fixture, with which later versions test upgrades (toolchain/release.ts). */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { surfaceOf } from '../toolchain/openapi/api-surface.ts';
import { openApiDocument } from '../toolchain/openapi/document.ts';
import { hasDatedEntry, protectedResources, updateRelease } from '../toolchain/release.ts';
import { auditFault, fingerprintOf, folders, lastAudit } from './audit/advisories.ts';
import { Misuse, reportFailure } from './deployment/failure.ts';
import { templatesByStack } from './deployment/run-cdk.ts';
import { targetNamed } from './deployment/targets.ts';

const versionIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).version;

const resourcesOf = async (environment: string) =>
  protectedResources(await templatesByStack(await targetNamed(environment, 'release')));

try {
  const version = versionIn('package.json');
  if (versionIn('client/package.json') !== version)
    throw new Misuse(
      'client/package.json has another version than package.json.',
      `Set its version to ${version}.`,
    );
  if (!hasDatedEntry(readFileSync('CHANGELOG.md', 'utf8'), version))
    throw new Misuse(
      `CHANGELOG.md has no dated entry for ${version}.`,
      `Add the heading "## ${version} (YYYY-MM-DD)".`,
    );
  const fault = auditFault(lastAudit(), fingerprintOf(folders));
  if (fault !== null) throw new Misuse(`The packages were not audited: ${fault}`, 'Run npm run audit first.');
  const templates = { dev: await resourcesOf('dev'), prod: await resourcesOf('prod') };
  updateRelease({ version, api: surfaceOf(openApiDocument()), templates });
  const { status } = spawnSync('vitest', ['run', 'test/api/released-records.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_RELEASE: '1' },
  });
  if (status !== 0) throw new Misuse('The records were not written.', 'Correct the failing test, see above.');
  console.log(`Wrote released/release.json.gz for ${version}. Commit it, then tag v${version}.`);
} catch (error) {
  reportFailure(error);
}
