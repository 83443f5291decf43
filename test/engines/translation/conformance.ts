/** The conformance suite for translation engines, and its configuration for an engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineDeclaration } from '../../../engines/engine.ts';
import { reachableFrom } from '../../../engines/translation/language-routes.ts';
import type { TranslationEngine } from '../../../engines/translation/port.ts';

export interface Candidate {
  readonly engine: TranslationEngine;
  /** A pair that the engine supports, and a language that it does not support, or null if it supports all. */
  readonly source: string;
  readonly target: string;
  readonly foreign: string | null;
}

const sentences = [
  'The house is red.',
  'My brother reads 12 books',
  '',
  '…',
  'Who are you? I am here.',
  'The first line\nand the second.',
];

/** Markup that engines use internally, and characters that they may not know. */
const hostile = [
  '^house$ [red] {green} <b>blue</b> a\\b c/d @e *f #g ~h',
  'smile 😀👩‍👩‍👧 please',
  'שלום עולם',
  'nul\u0000 and \ud800 half',
  '50% of {name} at https://example.com/a?b=c&d',
];

/** @param skip the reason for a skip, or null */
export function describeConformance(
  declared: EngineDeclaration,
  setUp: () => Promise<Candidate>,
  skip: string | null = null,
): void {
  const title = `${declared.name} as a translation engine${skip === null ? '' : ` (skipped: ${skip})`}`;
  describe.skipIf(skip !== null)(title, () => {
    let candidate: Candidate;
    beforeAll(async () => {
      candidate = await setUp();
    });
    const translate = (texts: readonly string[], more: object = {}) => {
      const { engine, source, target } = candidate;
      return engine.translate(texts, { source, target, ...more });
    };

    it('returns all sentences in order, and those without words unchanged', async () => {
      const answers = await translate(sentences);
      expect(answers).toHaveLength(sentences.length);
      expect(answers.slice(2, 4)).toEqual(['', '…']);
      for (const at of [0, 1, 4, 5]) expect(answers[at]).toMatch(/\p{L}/u);
      expect(answers[1]).toContain('12');
    });

    it('translates each sentence without context', async () => {
      const all = ['My brother', 'reads books', 'The house', 'is red.'];
      const alone: string[] = [];
      for (const sentence of all) alone.push(...(await translate([sentence])));
      expect(await translate(all)).toEqual(alone);
    });

    it('keeps markup, emoji, URLs and foreign scripts', async () => {
      const answers = await translate(hostile);
      expect(answers).toHaveLength(hostile.length);
      for (const part of ['^house$', '{green}', '<b>', '</b>', 'a\\b', '@e', '*f', '#g', '~h'])
        expect(answers[0]).toContain(part);
      expect(answers[1]).toContain('😀👩‍👩‍👧');
      expect(answers[2]).toBe('שלום עולם');
      for (const part of ['50%', '{name}', 'https://example.com/a?b=c&d']) expect(answers[4]).toContain(part);
    });

    it('translates more text than one request allows, and reports progress as fractions that rise to 1', async () => {
      const many = Array.from(
        { length: 900 },
        (_, at) => `The house number ${at} in the street is red and old.`,
      );
      const told: number[] = [];
      const answers = await translate(many, { onProgress: (fraction: number) => told.push(fraction) });
      expect(answers.filter((answer, at) => !answer.includes(String(at)))).toEqual([]);
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      expect(told.at(-1)).toBe(1);
    });

    it('rejects a pair that it does not declare', async () => {
      const { engine, source, foreign } = candidate;
      if (foreign === null) return;
      expect(reachableFrom(declared, source)).not.toContain(foreign);
      await expect(engine.translate(['hi'], { source, target: foreign })).rejects.toMatchObject({
        code: 'language_unsupported',
        detail: expect.stringContaining(`"${foreign}"`),
      });
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const canceled = new Error('canceled');
      await expect(translate(['The house.'], { signal: AbortSignal.abort(canceled) })).rejects.toBe(canceled);
    });
  });
}
