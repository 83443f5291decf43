/** `npm run reset`: deletes the local cloud's tables, objects, executions and keys. Keeps the models. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf, localDirectory } from '../local/layout.ts';
import { takeLock } from '../local/lock.ts';
import { processRecords } from '../local/processes.ts';

const layout = layoutOf(localDirectory());
if (!existsSync(layout.root) || readdirSync(layout.root).length === 0) {
  console.log(`${layout.root} is already empty.`);
} else if (!existsSync(layout.marker)) {
  fail(`${layout.root} is not a folder of the local cloud. Nothing was deleted.`);
} else {
  empty();
}

function empty(): void {
  const lock = takeLock(layout.lock);
  if (!lock) fail(`The local cloud is running in ${layout.root}. Stop it first: npm stop`);
  processRecords(layout.processes).endStale();
  // The marker is deleted last, so that an interrupted reset can be repeated.
  const names = readdirSync(layout.root)
    .map((name) => join(layout.root, name))
    .filter((path) => path !== layout.models);
  const last = [layout.marker, layout.lock];
  for (const path of [...names.filter((name) => !last.includes(name)), ...last]) {
    if (path === layout.lock) lock?.release();
    rmSync(path, { recursive: true, force: true });
  }
  const hasModels = existsSync(layout.models);
  console.log(`${layout.root} is empty now${hasModels ? ', except for the models (npm run models)' : ''}.`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
