import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builds } from '../../fixtures/media.ts';
import { planOf, tried } from './odd-files.ts';

/** With `ALL_FILES=1`, a thousand files. Otherwise one for each kind of damage, and some without damage. */
const isComplete = process.env.ALL_FILES === '1';
const SOUND = 8;
const seeds = Array.from({ length: isComplete ? 1000 : 300 }, (_, at) => at + 1);
const damages = new Set(seeds.map((seed) => planOf(seed).damage));
const chosen = [
  ...[...damages].flatMap((damage) => seeds.find((seed) => planOf(seed).damage === damage) ?? []),
  ...seeds.filter((seed) => planOf(seed).damage === null).slice(0, SOUND),
];

const folder = mkdtempSync(join(tmpdir(), 'kinora-odd-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(builds)('an unusual file with $name', ({ tools }) => {
  it.each(isComplete ? seeds : [...new Set(chosen)])(
    'becomes ready, or is rejected with the reason: seed %i',
    async (seed) => {
      const { faults } = await tried(seed, tools, folder);
      expect(faults).toEqual([]);
    },
  );
});
