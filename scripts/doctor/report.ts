/** Prints findings. */
import type { Finding } from './finding.ts';

const marks = { well: '✓', doubtful: '!', failing: '✗' } as const;

export function linesOf(finding: Finding): string[] {
  const line = `${marks[finding.level]} ${finding.title}: ${finding.says}`;
  return finding.level === 'well' ? [line] : [line, `  → ${finding.cure}`];
}

export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [bad, unsure] = [count('failing'), count('doubtful')];
  if (bad + unsure === 0) return 'No problems found.';
  return [bad > 0 && `${bad} to fix`, unsure > 0 && `${unsure} to consider`].filter(Boolean).join(', ');
}
