/** Runs a bundled function in njs 0.7.9, the engine of CloudFront's runtime as Debian has it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const njs = '/usr/bin/njs';
export const hasNjs = existsSync(njs);

/** Returns the function's result for each event. (console.log would cut lines at 2,048 characters.) */
export function runInNjs(code: string, events: readonly object[]): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-njs-'));
  const [script, output] = [join(folder, 'script.js'), join(folder, 'results.json')];
  const calls = `var results = ${JSON.stringify(events)}.map(function (event) { return handler(event); });
require('fs').writeFileSync(${JSON.stringify(output)}, JSON.stringify(results));`;
  try {
    writeFileSync(script, `${code}\n${calls}`);
    execFileSync(njs, [script], { stdio: 'pipe' });
    return JSON.parse(readFileSync(output, 'utf8')) as unknown[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
