/**
 * Reads and writes the text of bench/RESULTS.md. Each benchmark has one section, with the day and the machine of its
 * run.
 */
import type { Report } from './report.ts';

const heading = `# Benchmarks

Made by \`npm run bench\`, or \`npm run bench -- NAME…\` for some. A run that its own control voids changes nothing here.`;

/** @param run the day and the machine of the run */
export function section({ title, method, columns, rows, void: reason }: Report, run: string): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    `_${run}_`,
    method,
    ...(reason === null ? [] : [`**Void.** ${reason}`]),
    [
      line(['', ...columns]),
      line(['---', ...columns.map(() => '--:')]),
      ...rows.map((row) => line([row.name, ...row.values])),
    ].join('\n'),
  ].join('\n\n');
}

/** Returns the text of the file with these sections. A section replaces the section with the same title. A new section comes at the end. */
export function withSections(file: string, sections: readonly string[]): string {
  const kept = file.split(/^(?=## )/m).slice(1);
  const all = new Map([...kept, ...sections].map((text) => [titleOf(text), text.trim()]));
  return `${[heading, ...all.values()].join('\n\n')}\n`;
}

const titleOf = (text: string) => text.slice(0, text.indexOf('\n'));
