/** Texts without spaces, as long as a segment may be. Any character can begin a line or a cue. */
import { expect, it, vi } from 'vitest';
import { findLanguageRules } from '../../../lambdas/subtitles/rules/language-rules.ts';
import { BROADCAST_LIMITS } from '../../../lambdas/subtitles/rules/limits.ts';
import { layLines } from '../../../lambdas/subtitles/rules/line-breaks.ts';
import { cuesFromSegments } from '../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../lambdas/subtitles/rules/script.ts';
import { partsOf } from '../../../lambdas/subtitles/rules/split-sentences.ts';
import { spokenAtoms } from '../../../lambdas/subtitles/rules/spoken-atoms.ts';
import { segment } from './speech.ts';

const rules = findLanguageRules('zh');

const said = (characters: number) => segment('字'.repeat(characters), 0, characters * 200);

/** Counts the property reads on the atoms of such a text. */
function readsOf(characters: number, work: (atoms: ReturnType<typeof spokenAtoms>) => unknown): number {
  let reads = 0;
  const counting: ProxyHandler<object> = {
    get: (atom, name) => {
      reads += 1;
      return Reflect.get(atom, name);
    },
  };
  work(spokenAtoms(said(characters)).map((atom) => new Proxy(atom, counting) as typeof atom));
  return reads;
}

it('shows all of a text of 5,000 ideographs, in cues of two lines that fit', () => {
  const lines = cuesFromSegments([said(5000)], { language: 'zh' }).map((cue) => cue.lines);
  expect(lines.flat().join('')).toBe(said(5000).text);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(2);
  expect(Math.max(...lines.flat().map(displayWidth))).toBeLessThanOrEqual(BROADCAST_LIMITS.line_width);
});

it('reads each indivisible part of a text only a few times to divide the text', () => {
  for (const count of [1000, 5000]) {
    const reads = readsOf(count, (atoms) => partsOf(atoms, BROADCAST_LIMITS, rules));
    expect(reads / count, `${count} atoms`).toBeLessThan(20);
  }
});

it('reads each indivisible part only a few times to find line ends in a text of any length', () => {
  for (const count of [20, 200, 2000]) {
    const reads = readsOf(count, (atoms) => layLines(atoms, BROADCAST_LIMITS.line_width, rules));
    expect(reads / count, `${count} atoms`).toBeLessThan(20);
  }
});

it('copies no range of a text to compute its cost', () => {
  const copied = vi.spyOn(Array.prototype, 'slice');
  const count = 5000;
  try {
    cuesFromSegments([said(count)], { language: 'zh' });
    const atoms = copied.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(atoms / count).toBeLessThan(20);
  } finally {
    copied.mockRestore();
  }
});
