import { describe, expect, it } from 'vitest';
import type { Report } from '../../bench/report.ts';
import { section, withSections } from '../../bench/results.ts';

const report = (title: string, value: number): Report => ({
  title,
  method: 'Counted by hand. A # in the text is no title.',
  columns: ['pieces'],
  rows: [{ name: 'apples', values: [value] }],
  void: null,
});
const text = (title: string, value: number) => section(report(title, value), '2026-11-21, a laptop');

describe('the file of results', () => {
  it('gives every section the day and the machine of its run', () => {
    expect(text('Fruit', 3)).toBe(
      [
        '## Fruit',
        '_2026-11-21, a laptop_',
        'Counted by hand. A # in the text is no title.',
        '|  | pieces |\n| --- | --: |\n| apples | 3 |',
      ].join('\n\n'),
    );
  });

  it('replaces the sections of a run in the same order, and keeps the others', () => {
    const before = withSections('', [text('Fruit', 1), text('Fruit salad', 2), text('Nuts', 3)]);
    const after = withSections(before, [text('Fruit salad', 9)]);
    expect(after).toBe(before.replace('| apples | 2 |', '| apples | 9 |'));
  });

  it('gets new sections at its end', () => {
    const before = withSections('', [text('Fruit', 1)]);
    expect(withSections(before, [text('Nuts', 2)])).toBe(`${before}\n${text('Nuts', 2)}\n`);
  });

  it('stays the same if no result is new', () => {
    const file = withSections('', [text('Fruit', 1), text('Nuts', 2)]);
    expect(withSections(file, [])).toBe(file);
  });
});
