/** How long a build of the site takes: from nothing, after nothing changed, after one page changed. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Report } from './report.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 7;

/** Runs in a process of its own: building is what happens after a start, with nothing loaded. */
const child = `
  const { buildSite } = await import(${JSON.stringify(join(root, 'content/site-build.ts'))});
  const { localSite } = await import(${JSON.stringify(join(root, 'content/site.ts'))});
  const [folder, pagesFolder] = process.argv.slice(1);
  const now = new Date('2026-11-21T00:00:00Z');
  const { changed } = await buildSite({ environment: localSite, folder, pagesFolder, now });
  process.stdout.write(String(changed.length));
`;

interface Measured {
  /** How long the process ran, from its start to its end. */
  readonly ms: number;
  /** Objects written. */
  readonly changed: number;
}

export async function run(): Promise<Report> {
  const scratch = mkdtempSync(join(tmpdir(), 'kinora-site-'));
  const [out, pages] = [join(scratch, 'out'), join(scratch, 'pages')];
  cpSync(join(root, 'content/pages'), pages, { recursive: true });

  const first = build(out, pages);
  const idle = repeat(() => build(out, pages));
  const edited = repeat(() => {
    appendFileSync(join(pages, 'en/blog/stl-in-2026.md'), '\nOne more paragraph.\n');
    return build(out, pages);
  });
  rmSync(scratch, { recursive: true });

  return {
    title: 'Building the site',
    method: `58 pages in two languages with their pictures, in a fresh process each time; medians of ${ROUNDS}, the first build once.`,
    columns: ['ms', 'objects written'],
    rows: [
      { name: 'from nothing', values: valuesOf(first) },
      { name: 'nothing changed', values: valuesOf(idle) },
      { name: 'one page changed', values: valuesOf(edited) },
    ],
    void: null,
  };
}

function build(out: string, pages: string): Measured {
  const started = performance.now();
  const changed = execFileSync(process.execPath, ['--input-type=module', '-e', child, out, pages], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { ms: performance.now() - started, changed: Number(changed) };
}

function repeat(measure: () => Measured): Measured {
  const all = Array.from({ length: ROUNDS }, measure);
  return { ms: median(all.map(({ ms }) => ms)), changed: all.at(-1)!.changed };
}

const valuesOf = ({ ms, changed }: Measured): string[] => [ms.toFixed(0), String(changed)];
