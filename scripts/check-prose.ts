/**
 * `npm run prose [-- PATH…]`: checks the English of Markdown files, NOTICE, comments, messages and test names. Without a path it checks the
 * whole tree. Exits with 1 if it finds anything.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { root } from '../toolchain/bundle/paths.ts';
import { lintMarkdown, lintSource } from './prose/lint-prose.ts';

/** Files that are not checked: Spanish pages, test data, the rules themselves and generated files. */
const left =
  /^content\/pages\/es\/|^test\/fixtures\/|^content\/demo\/|^test\/support\/talk\/sentences\.ts$|^scripts\/prose\/rules\.ts$|^client\/dist\//;

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', ...process.argv.slice(2)],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => /\.(md|ts|mjs)$|^NOTICE$/.test(file) && !left.test(file) && existsSync(file));

let count = 0;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const findings = await (/\.(ts|mjs)$/.test(file)
    ? lintSource(text, { isTest: /(?:^|\/)test\//.test(file) })
    : lintMarkdown(text));
  for (const { line, message } of findings) console.log(`${file}:${line}: ${message}`);
  count += findings.length;
}
console.log(`${files.length} files, ${count} findings`);
if (count > 0) process.exitCode = 1;
