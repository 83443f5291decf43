import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localFaces } from '../../../engines/faces/face-api.ts';
import { textByTesseract } from '../../../engines/ocr/tesseract.ts';
import { aac, makeMedia, tone, tools } from '../../fixtures/media.ts';
import { wav } from '../../support/evil/sounds.ts';
import { canTrace, traced } from '../../support/evil/traced.ts';
import { evilFiles } from '../../support/evil-files.ts';
import { canaryText, ended, faultsOf, references, steps, trap } from './evil-files.ts';

/** With `ALL_FILES=1`, tests all files at every step. Otherwise takes one in twenty files, and tests each at one step. */
const isComplete = process.env.ALL_FILES === '1';
const EVERY = 20;
const folder = mkdtempSync(join(tmpdir(), 'kinora-evil-'));
const canary = join(folder, 'canary.wav');
writeFileSync(canary, Buffer.concat([wav({ data: Buffer.alloc(7 * 16_000) }), Buffer.from(canaryText)]));
const caught = await trap();
const watch = canTrace() ? traced(folder, tools) : null;
let track: string;

beforeAll(async () => {
  track = await makeMedia('track.m4a', [...tone(1), ...aac]);
});
afterAll(() => {
  caught.close();
  watch?.close();
  rmSync(folder, { recursive: true });
});

/** Files that once caused a fault, and files with the worst possible effect. */
const always =
  /second half is|13 h of gaps|says so of a second|10,000 times|line separators|10 MB of tags|each is 10,000 wide|(?:65|1,001|10,000) tracks/;
const names = Object.keys(steps);
const all = evilFiles({ trap: caught.address, canary });
const engines = isComplete ? { faces: localFaces(), ocr: textByTesseract() } : undefined;
const chosen = all.flatMap((evil, at) => {
  if (isComplete) return [{ evil, tried: names }];
  if (evil.name === 'matrix of nothing') return [{ evil, tried: ['RenderLastFrame'] }];
  if (always.test(evil.name)) return [{ evil, tried: ['ProbeMedia', 'PrepareAudio'] }];
  return at % EVERY === 0 ? [{ evil, tried: [names[(at / EVERY) % names.length]!] }] : [];
});

describe('a hostile file', () => {
  it.each(chosen)('is processed or rejected safely: $evil.name', async ({ evil, tried }) => {
    const before = caught.calls();
    const endings = await ended(evil, tried, { tools, folder, track, engines });
    expect(faultsOf(evil, endings)).toEqual([]);
    expect(caught.calls()).toBe(before);
  });
});

describe.runIf(watch !== null)('a file that refers to other files', () => {
  const { tools: watched, seen } = watch!;

  it('would open files and connections in a program without limits', async () => {
    const list = join(folder, 'list');
    for (const to of [canary, `${caught.address}/a.wav`]) {
      writeFileSync(list, `ffconcat version 1.0\nfile '${to}'\n`);
      const args = ['-v', 'quiet', '-safe', '0', '-protocol_whitelist', 'file,http,tcp', list];
      // The program fails, because the server's answer is not playable.
      await new Promise((done) => execFile(watched.ffprobe, args, done));
    }
    await expect.poll(() => caught.calls()).toBeGreaterThan(0);
    expect(seen().opened).toContain(canary);
  });

  const kinds = all.filter(({ name }) => references.test(name));
  it.each(kinds)('causes no access to other files: $name', async (evil) => {
    seen();
    const ports = new Set<number>();
    await ended(evil, ['ProbeMedia'], { tools: watched, folder, track, ports });
    const { opened, ports: called } = seen();
    expect(opened).toEqual([]);
    expect(called.filter((port) => !ports.has(port))).toEqual([]);
  });
});
