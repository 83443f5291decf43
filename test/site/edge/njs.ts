/** Runs a bundled function in njs 0.7.9, the engine of CloudFront's runtime as Debian has it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const njs = '/usr/bin/njs';
export const hasNjs = existsSync(njs);

/** Returns the function's result for each event. (console.log would cut lines at 2,048 characters.) */
export function runInNjs(code: string, events: readonly object[]): unknown[] {
  return inFolder((folder) => {
    const output = join(folder, 'results.json');
    const calls = `var results = ${JSON.stringify(events)}.map(function (event) { return handler(event); });
require('fs').writeFileSync(${JSON.stringify(output)}, JSON.stringify(results));`;
    run(folder, `${code}\n${calls}`);
    return JSON.parse(readFileSync(output, 'utf8')) as unknown[];
  });
}

/** Runs a script; throws what njs says where it fails. */
export const execute = (script: string): string => inFolder((folder) => run(folder, script));

function run(folder: string, script: string): string {
  const file = join(folder, 'script.js');
  writeFileSync(file, script);
  return execFileSync(njs, [file], { encoding: 'utf8', stdio: 'pipe' });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-njs-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
