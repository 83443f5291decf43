/** Runs the named benchmarks, by default all files here that export `run()`. Writes complete results to RESULTS.md. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, type as system, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from './report.ts';
import { section, withSections } from './results.ts';

/** Whether a variable limits the benchmark. A limited result does not replace a complete one. */
const isLimited = ['RUNS', 'ONLY', 'SAMPLE'].some((name) => process.env[name] !== undefined);

const folder = import.meta.dirname;
const results = join(folder, 'RESULTS.md');

async function benchmarks(names: readonly string[]): Promise<Benchmark[]> {
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && isBenchmark(join(folder, file)))
    .map((file) => file.slice(0, -'.ts'.length));
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    console.error(
      `✗ There is no benchmark ${unknown.join(', ')}\n  → npm run bench -- NAME, of: ${all.join(', ')}`,
    );
    process.exit(2);
  }
  const wanted = names.length === 0 ? all : all.filter((name) => names.includes(name));
  return Promise.all(wanted.map((name) => import(join(folder, `${name}.ts`)) as Promise<Benchmark>));
}

const isBenchmark = (file: string): boolean =>
  /^export (?:async function|const) run\b/m.test(readFileSync(file, 'utf8'));

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, ${system()} ${release()}, Node ${process.version}`;
}

for (const benchmark of await benchmarks(process.argv.slice(2))) {
  const report = await benchmark.run();
  const text = section(report, `${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  console.log(`${text}\n`);
  if (isLimited) continue;
  if (report.void === null) writeFileSync(results, withSections(readFileSync(results, 'utf8'), [text]));
  else process.exitCode = 1;
}
