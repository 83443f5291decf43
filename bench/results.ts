/** The text of bench/RESULTS.md: one section a benchmark, each with the day and the machine of its own run. */
import type { Report } from './report.ts';

const heading = `# Benchmarks

Made by \`npm run bench\`, or \`npm run bench -- NAME…\` for some. A run that its own control voids changes nothing here.`;

/** @param run the day, and what it ran on */
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

/** The file with these sections in the place of those of the same titles, new ones at the end. */
export function withSections(file: string, sections: readonly string[]): string {
  const kept = file.split(/^(?=## )/m).slice(1);
  const all = new Map([...kept, ...sections].map((text) => [titleOf(text), text.trim()]));
  return `${[heading, ...all.values()].join('\n\n')}\n`;
}

const titleOf = (text: string) => text.slice(0, text.indexOf('\n'));
