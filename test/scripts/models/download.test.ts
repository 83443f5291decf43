import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { download, type Wanted } from '../../../scripts/models/download.ts';
import { serveRelease } from '../../support/models/release.ts';

const content = randomBytes(300_000);
const sha256 = createHash('sha256').update(content).digest('hex');

const release = await serveRelease({ 'model.tar.bz2': content });
const folder = mkdtempSync(join(tmpdir(), 'kinora-download-'));
afterEach(() => {
  Object.assign(release.behaviour, { cutAfter: Number.POSITIVE_INFINITY, hasRanges: true });
  release.files['model.tar.bz2'] = content;
  release.sent.length = 0;
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => release.close());

const file = () => join(folder, 'model.tar.bz2');
const fetchIt = (wanted: Partial<Wanted> = {}, progress: (arrived: number) => void = () => {}) =>
  download({ url: release.url('model.tar.bz2'), bytes: null, sha256: null, ...wanted }, file(), progress, 1);
const sentBytes = () => release.sent.reduce((sum, { bytes }) => sum + bytes, 0);

/** An attempt whose connection breaks each time: the first after `bytes`, later ones before any data. */
async function interrupted(bytes: number): Promise<number> {
  release.behaviour.cutAfter = bytes;
  const attempts = fetchIt({}, (arrived) => {
    if (arrived > 0) release.behaviour.cutAfter = 0;
  });
  await expect(attempts).rejects.toThrow('is kept: run the command again');
  release.behaviour.cutAfter = Number.POSITIVE_INFINITY;
  release.sent.length = 0;
  return statSync(`${file()}.part`).size;
}

describe('a download', () => {
  it('follows the redirects of a release, and reports progress and checksum', async () => {
    const told: number[] = [];
    expect(await fetchIt({}, (arrived) => told.push(arrived))).toEqual({ bytes: content.length, sha256 });
    expect(readFileSync(file())).toEqual(content);
    expect(told.at(-1)).toBe(content.length);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(existsSync(`${file()}.part`)).toBe(false);
  });

  it('continues after a broken connection without repeating bytes', async () => {
    release.behaviour.cutAfter = 131_072;
    await fetchIt();
    expect(readFileSync(file())).toEqual(content);
    expect(release.sent.map(({ status }) => status)).toEqual([200, 206, 206]);
    expect(sentBytes()).toBe(content.length);
  });

  it('keeps received bytes if it gives up, and continues after them next time', async () => {
    const kept = await interrupted(65_536);
    expect(kept).toBeGreaterThan(0);
    await fetchIt();
    expect(release.sent).toEqual([
      { path: 'model.tar.bz2', from: kept, bytes: content.length - kept, status: 206 },
    ]);
    expect(readFileSync(file())).toEqual(content);
  });

  it('never accepts a mixture of two files whose checksum is known', async () => {
    await interrupted(65_536);
    const other = randomBytes(200_000);
    release.files['model.tar.bz2'] = other;
    const wanted = createHash('sha256').update(other).digest('hex');
    await expect(fetchIt({ sha256: wanted })).rejects.toThrow('the file at its source is another');
    await fetchIt({ sha256: wanted });
    expect(readFileSync(file())).toEqual(other);
  });

  it('accepts a file of which every byte has arrived before', async () => {
    await interrupted(65_536);
    writeFileSync(`${file()}.part`, content);
    expect(await fetchIt({ sha256 })).toEqual({ bytes: content.length, sha256 });
  });

  it('starts again if the server does not support ranges', async () => {
    await interrupted(65_536);
    release.behaviour.hasRanges = false;
    await fetchIt();
    expect(readFileSync(file())).toEqual(content);
  });

  it('does not repeat a complete download', async () => {
    await fetchIt();
    release.sent.length = 0;
    expect(await fetchIt({ sha256 })).toEqual({ bytes: content.length, sha256 });
    expect(release.sent).toEqual([]);
  });

  it('removes a file with a wrong checksum', async () => {
    const wrong = fetchIt({ sha256: '0'.repeat(64) });
    await expect(wrong).rejects.toThrow(`has the SHA-256 ${sha256} instead of ${'0'.repeat(64)}`);
    expect(existsSync(file())).toBe(false);
    expect(existsSync(`${file()}.part`)).toBe(false);
  });

  it('stops before the data if the length is wrong', async () => {
    await expect(fetchIt({ bytes: 17 })).rejects.toThrow('has 300000 bytes instead of 17');
    expect(existsSync(file())).toBe(false);
  });

  it('names a URL that does not exist', async () => {
    await expect(fetchIt({ url: release.url('gone.tar.bz2') })).rejects.toThrow(
      /No file exists at .*gone.* \(404\)/,
    );
  });

  it('reports a missing network immediately', async () => {
    const gone = await serveRelease({});
    gone.close();
    await expect(fetchIt({ url: gone.url('model.tar.bz2') })).rejects.toThrow(
      /127\.0\.0\.1:\d+ cannot be reached .*Check the network.*Then run the command again/,
    );
  });
});
