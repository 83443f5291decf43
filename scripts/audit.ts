/**
 * `npm run audit`: holds the lock files against the licences that are allowed and the advisories that are known, offline, and
 * writes the bill of materials. `--record` asks the registry for advisories first.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder, root } from '../toolchain/bundle/paths.ts';
import { argumentsOf } from './arguments.ts';
import { billOfMaterials } from './audit/bill-of-materials.ts';
import { exceptions } from './audit/exceptions.ts';
import { type AdvisoryRecord, audited } from './audit/findings.ts';
import { askRegistry } from './audit/npm.ts';
import { packagesIn } from './audit/packages.ts';

/** The second is what the image of the media steps compiles. */
const folders = [root, join(root, 'lib', 'jobs', 'media-image', 'client')];
const recordFile = join(root, 'scripts', 'audit', 'advisories.json');

const { values } = argumentsOf(
  { text: 'npm run audit -- [--record]', help: 'npm run audit -- --help', words: 0 },
  { options: { record: { type: 'boolean', default: false } } },
);
const today = new Date().toISOString().slice(0, 10);
if (values.record) record();

const packages = packagesIn(
  ...folders.map((folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8')),
);
const known = JSON.parse(readFileSync(recordFile, 'utf8')) as AdvisoryRecord;
const { errors, warnings } = audited(packages, known, exceptions, today);
for (const warning of warnings) console.warn(`Note: ${warning}.`);
for (const error of errors) console.error(`${error}.`);
console.log(`${packages.length} packages, ${errors.length} findings, ${exceptions.length} exceptions.`);

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const file = join(buildFolder, 'sbom.cdx.json');
mkdirSync(buildFolder, { recursive: true });
writeFileSync(file, `${JSON.stringify(billOfMaterials(packages, { name, version }), null, 2)}\n`);
console.log(`Wrote build/sbom.cdx.json`);
if (errors.length > 0) process.exitCode = 1;

function record(): void {
  const asked = folders.map((folder) => askRegistry(folder, today));
  const advisories = asked.flatMap((one) => one.advisories);
  writeFileSync(recordFile, `${JSON.stringify({ recorded: today, advisories }, null, 2)}\n`);
}
