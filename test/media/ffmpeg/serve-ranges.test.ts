import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { runFfprobe } from '../../../media/ffmpeg/run-ffmpeg.ts';
import { type OpenMedia, withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { MEDIA_LIMITS, type RangeSource } from '../../../shared/media.ts';
import { aac, fixturePath, h264, makeMedia, opened, picture, tone, tools } from '../../fixtures/media.ts';
import { startReceiver } from '../../support/receiver.ts';
import { withGap } from './large-files.ts';

const MB = 1e6;
const byteAt = (at: number) => (at * 31 + (at >> 9)) & 255;

function sourceOf(size: number) {
  const asked: { first: number; last: number }[] = [];
  const source: RangeSource = {
    size,
    read: async (first, last) => {
      asked.push({ first, last });
      return Uint8Array.from({ length: last - first + 1 }, (_, i) => byteAt(first + i));
    },
  };
  return { source, asked };
}

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

function ask(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(address, { method, headers }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(pieces) });
    })
      .on('error', reject)
      .end();
  });
}

/** Reads from a position to the end, as ffmpeg does: each request starts after the previous answer. */
async function readOn({ address, size }: OpenMedia, first: number): Promise<number> {
  let at = first;
  while (at < size) {
    const { body } = await ask(address, { range: `bytes=${at}-` });
    for (const i of [0, body.length >> 1, body.length - 1]) expect(body[i]).toBe(byteAt(at + i));
    at += body.length;
  }
  return at;
}

describe('the range reader', () => {
  it('serves one object on the loopback address, under a random path', async () => {
    const { source } = sourceOf(1000);
    await withOpenMedia(source, async ({ address }) => {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
      expect((await ask(address)).body).toHaveLength(1000);
      expect((await ask(new URL('/', address).href)).status).toBe(404);
      expect((await ask(address, {}, 'POST')).status).toBe(405);
      expect((await ask(address, {}, 'HEAD')).headers).toMatchObject({
        'content-length': '1000',
        'accept-ranges': 'bytes',
      });
    });
  });

  it('stops when the work is done', async () => {
    const address = await withOpenMedia(sourceOf(10).source, async (media) => media.address);
    await expect(ask(address)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('answers range requests, and refuses ranges beyond the end', async () => {
    await withOpenMedia(sourceOf(1000).source, async ({ address }) => {
      const middle = await ask(address, { range: 'bytes=10-19' });
      expect([middle.status, middle.headers['content-range']]).toEqual([206, 'bytes 10-19/1000']);
      expect([...middle.body]).toEqual(Array.from({ length: 10 }, (_, i) => byteAt(10 + i)));
      const tail = await ask(address, { range: 'bytes=990-' });
      expect(tail.headers['content-range']).toBe('bytes 990-999/1000');
      const beyond = await ask(address, { range: 'bytes=1000-' });
      expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */1000']);
    });
  });

  it('reads little for single jumps, more for sequences, and no byte twice', async () => {
    const { source, asked } = sourceOf(20 * MB);
    await withOpenMedia(source, async (media) => {
      await ask(media.address, { range: 'bytes=0-' });
      await ask(media.address, { range: `bytes=${15 * MB}-` });
      expect(media.bytes_read).toBeLessThan(0.6 * MB);
      await readOn(media, 0);
      await readOn(media, 3 * MB);
      expect(media.bytes_read).toBe(20 * MB);
    });
    const sorted = asked.toSorted((a, b) => a.first - b.first);
    for (const [i, { first }] of sorted.entries()) expect(first).toBe(i === 0 ? 0 : sorted[i - 1]!.last + 1);
    expect(Math.max(...asked.map(({ first, last }) => last - first + 1))).toBe(4 << 20);
    expect(asked.length).toBeLessThan(20);
  });

  it('caches the last 64 MiB', async () => {
    const size = 80 << 20;
    const read = async (first: number, last: number) => Buffer.alloc(last - first + 1, 7);
    await withOpenMedia({ size, read }, async (media) => {
      for (let at = 0; at < size; at += 1 << 20) await media.read(at, at + (1 << 20) - 1);
      const once = media.bytes_read;
      await media.read(size - 1, size - 1);
      expect(media.bytes_read).toBe(once);
      await media.read(0, 0);
      expect(media.bytes_read).toBeGreaterThan(once);
    });
  });

  it('stops reading when it is aborted', async () => {
    const stop = new AbortController();
    let aborted: unknown;
    const read = (_: number, __: number, signal?: AbortSignal) =>
      new Promise<Uint8Array>((_, reject) =>
        signal!.addEventListener('abort', () => {
          aborted = signal!.reason;
          reject(signal!.reason);
        }),
      );
    const working = (media: OpenMedia) => {
      setTimeout(() => stop.abort(new Error('canceled')), 10);
      return media.read(0, 9);
    };
    await expect(withOpenMedia({ size: 10, read }, working, stop.signal)).rejects.toThrow('canceled');
    expect(aborted).toMatchObject({ message: 'canceled' });
  });

  it("throws the error of a failed source instead of the program's own error", async () => {
    const file = await makeMedia('broken-off.ts', [...picture(4), ...tone(4), ...h264, ...aac]);
    const lost = new Error('S3 is gone');
    await opened(file, ({ size, read }) => {
      const source: RangeSource = {
        size: size * 4,
        read: async (first, last) => {
          if (last >= size) throw lost;
          return read(first, last);
        },
      };
      return expect(withOpenMedia(source, (media) => probeMedia(tools, media, MEDIA_LIMITS))).rejects.toBe(
        lost,
      );
    });
  });
});

describe('probing', () => {
  it('reads less than 10 MB of a file of 1 GB or 20 GB with its index at the end', async () => {
    const small = await makeMedia('index-at-the-end.mp4', [...picture(8), ...tone(8), ...h264, ...aac]);
    for (const gap of [1e9, 20e9]) {
      const { size, read, close } = await withGap(small, gap);
      await withOpenMedia({ size, read }, async (media) => {
        const { duration_ms, size_bytes } = await probeMedia(tools, media, MEDIA_LIMITS);
        expect(Math.abs(duration_ms - 8000)).toBeLessThan(50);
        expect(size_bytes).toBeGreaterThan(gap);
        expect(media.bytes_read).toBeLessThan(2 * MB);
      });
      await close();
    }
  });

  it.each(['ts', 'mkv', 'avi', 'flv', 'mp3'])(
    'reads less than 10 MB of a long %s',
    async (container) => {
      const file = container === 'mp3' ? await longSound() : await longVideo(container);
      await opened(file, async (media) => {
        expect(media.size).toBeGreaterThan(20 * MB);
        await probeMedia(tools, media, MEDIA_LIMITS);
        expect(media.bytes_read).toBeLessThan(10 * MB);
      });
    },
    60_000,
  );
});

/**
 * Makes forty seconds of noise, which no codec can compress well. Encodes it once, and copies the packets into each
 * container.
 */
async function longVideo(container: string): Promise<string> {
  const noise = ['-f', 'lavfi', '-i', 'nullsrc=s=320x180:r=25:d=40,geq=random(1)*255:128:128'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8', ...aac];
  encoded ??= makeMedia('noise.mp4', [...noise, ...tone(40), ...codecs]);
  return makeMedia(`long.${container}`, ['-i', await encoded, '-c', 'copy']);
}

let encoded: Promise<string> | undefined;

/** Makes forty seconds of noise, repeated sixteen times. MP3 has no header, so MP3 files can be concatenated. */
async function longSound(): Promise<string> {
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=40:r=48000', '-b:a', '320k', '-write_xing', '0'];
  const once = await readFile(await makeMedia('short.mp3', [...noise, '-id3v2_version', '0']));
  const file = fixturePath('long.mp3');
  await writeFile(file, Buffer.concat(Array.from({ length: 16 }, () => once)));
  return file;
}

describe('ffmpeg with the range server', () => {
  const look = (media: Pick<OpenMedia, 'address'>) =>
    runFfprobe(tools, ['-show_format'], {
      timeout_ms: 10_000,
      media: { ...media, requireWhole: () => {} } as OpenMedia,
    });

  it('opens no local file', async () => {
    const file = await makeMedia('local.wav', tone(1));
    for (const address of [file, `file:${file}`, `concat:${file}`, `subfile,,start,0,end,9,,:${file}`])
      await expect(look({ address })).rejects.toMatchObject({ code: 'media_unreadable' });
  });

  it('follows no redirect', async () => {
    const file = await makeMedia('elsewhere.wav', tone(1));
    await opened(file, async ({ address }) => {
      const { url, close } = await startReceiver({ status: 302, headers: { Location: address } });
      await expect(look({ address: url })).rejects.toMatchObject({ code: 'media_unreadable' });
      await close();
    });
  });
});
