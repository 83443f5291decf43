import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aac, makeMedia, tone, tools } from '../../fixtures/media.ts';
import { wav } from '../../support/evil/sounds.ts';
import { evilFiles } from '../../support/evil-files.ts';
import { canaryText, ended, faultsOf, steps, trap } from './evil-files.ts';

/** The whole corpus at every step is `npm run bench -- evil-files`. Here each file meets one of the steps, in turn. */
const EVERY = 6;
const folder = mkdtempSync(join(tmpdir(), 'kinora-evil-'));
const canary = join(folder, 'canary.wav');
writeFileSync(canary, Buffer.concat([wav({ data: Buffer.alloc(7 * 16_000) }), Buffer.from(canaryText)]));
const caught = await trap();
let track: string;

beforeAll(async () => {
  track = await makeMedia('track.m4a', [...tone(1), ...aac]);
});
afterAll(() => {
  caught.close();
  rmSync(folder, { recursive: true });
});

/** Those that once went wrong, or would be the worst. */
const always =
  /second half is|13 h of gaps|says so of a second|10,000 times|line separators|10 MB of tags|each is 10,000 wide/;
const names = Object.keys(steps);
const chosen = evilFiles({ trap: caught.address, canary }).flatMap((evil, at) => {
  if (always.test(evil.name)) return [{ evil, tried: ['ProbeMedia', 'PrepareAudio'] }];
  return at % EVERY === 0 ? [{ evil, tried: [names[(at / EVERY) % names.length]!] }] : [];
});

describe('a file that means harm', () => {
  it.each(chosen)('reaches nothing, and ends as it should: $evil.name', async ({ evil, tried }) => {
    const before = caught.calls();
    const endings = await ended(evil, tried, { tools, folder, track });
    expect(faultsOf(evil, endings)).toEqual([]);
    expect(caught.calls()).toBe(before);
  });
});
