/** Runs every benchmark of this folder that exports `run()`, or those named, and writes bench/RESULTS.md. */
import { readdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type as system, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, Report } from './report.ts';

const folder = import.meta.dirname;

async function benchmarks(names: readonly string[]): Promise<Benchmark[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'run.ts');
  const wanted = files.filter((file) => names.length === 0 || names.includes(file.slice(0, -'.ts'.length)));
  const modules = await Promise.all(wanted.map((file) => import(join(folder, file)) as Promise<object>));
  return modules.filter((module): module is Benchmark => 'run' in module);
}

function section({ title, method, columns, rows, void: reason }: Report): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    method,
    ...(reason === null ? [] : [`**Void.** ${reason}`]),
    [
      line(['', ...columns]),
      line(['---', ...columns.map(() => '--:')]),
      ...rows.map((row) => line([row.name, ...row.values])),
    ].join('\n'),
  ].join('\n\n');
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, ${system()} ${release()}, Node ${process.version}`;
}

const reports: Report[] = [];
for (const benchmark of await benchmarks(process.argv.slice(2))) {
  const report = await benchmark.run();
  console.log(`${section(report)}\n`);
  reports.push(report);
}
const heading = `# Benchmarks\n\n${machine()}. ${new Date().toISOString().slice(0, 10)}. Made by \`npm run bench\`.`;
writeFileSync(join(folder, 'RESULTS.md'), `${[heading, ...reports.map(section)].join('\n\n')}\n`);
if (reports.some((report) => report.void !== null)) process.exitCode = 1;
