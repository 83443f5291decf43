/**
 * Writes the generated modules that the source imports: `build/contract/<resource>.js` with its types, from the contract;
 * `build/engines/declarations.js`; and `client/operations.ts`, the methods of the client.
 *
 *     npm run generate    does nothing if the modules are newer than their sources
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeIfChanged } from '../content/output/write.ts';
import { withLock } from './bundle/lock.ts';
import { buildFolder, root } from './bundle/paths.ts';
import { fingerprint, readStamp, writeStamp } from './bundle/stamp.ts';

const sources = [
  'contract',
  'engines',
  'package-lock.json',
  'toolchain/client',
  'toolchain/generate',
  'toolchain/generate.ts',
  'toolchain/openapi',
];
const folders = ['build/contract', 'build/engines'];
/** The generated files that the stamp includes. If one of them was changed or removed by hand, all are generated again. */
const written = [...folders, 'client/operations.ts'];
const stampFile = join(buildFolder, 'generated.stamp');

export async function ensureGenerated(): Promise<void> {
  if (isFresh()) return;
  await withLock(join(buildFolder, 'generated.lock.db'), async () => {
    if (!isFresh()) await generate();
  });
}

const isFresh = () => {
  const stamp = readStamp(stampFile);
  return stamp?.sources === fingerprint(sources) && stamp.output === fingerprint(written);
};

/** Loads esbuild, ajv and the contract here, because most runs do not need them. */
async function generate(): Promise<void> {
  // The fingerprint is computed before the work. If a source changes during the work, the next run generates again.
  const before = fingerprint(sources);
  const { generatedFiles } = await import('./generate/modules.ts');
  const files = await generatedFiles();
  for (const [path, text] of files) writeIfChanged(join(root, path), Buffer.from(text));
  for (const folder of folders) removeOthers(folder, files);
  writeStamp(stampFile, { sources: before, output: fingerprint(written) });
}

function removeOthers(folder: string, files: ReadonlyMap<string, string>): void {
  for (const name of readdirSync(join(root, folder)))
    if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name), { recursive: true });
}

if (import.meta.main) await ensureGenerated();
