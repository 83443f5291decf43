import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCleanFrames } from '../../../media/rendering/find-clean-frames.ts';
import { type Mp4Track, readMp4Track } from '../../../media/rendering/read-mp4-index.ts';
import type { RangeSource } from '../../../shared/media.ts';
import { box, full, join, png, text, times, u32, u64 } from '../../support/evil/bytes.ts';
import { edits, endless, movie, type Track } from '../../support/evil/movies.ts';

const PICTURE_BYTES = png(64, 48).length;

/** A file that counts its read bytes. Throws if a read is empty or outside of the file. */
function file(bytes: Buffer) {
  const seen = { bytes: 0 };
  const source: RangeSource = {
    size: bytes.length,
    read: async (first, last) => {
      if (first < 0 || last < first || last >= bytes.length) throw new RangeError(`${first} to ${last}`);
      seen.bytes += last - first + 1;
      return bytes.subarray(first, last + 1);
    },
  };
  return { source, seen };
}

const sound = (track: Partial<Track>) => movie({ tracks: [{ kind: 'sound', ...track }] });

/** Returns the track, or the text of the error. Our own checks or Node's buffers detect the error before any read. */
async function outcome(bytes: Buffer, kind: Mp4Track['kind'] = 'soun'): Promise<Mp4Track | null | string> {
  try {
    return await readMp4Track(file(bytes).source, kind);
  } catch (error) {
    return String(error);
  }
}

const whole = movie({
  tracks: [
    {
      kind: 'picture',
      samples: 25,
      edits: edits([1000, 0]),
      tables: {
        ctts: full('ctts', 0, u32(2, 20, 1, 5, 0)),
        stss: full('stss', 0, u32(2, 1, 13)),
        stsc: full('stsc', 0, u32(2, 1, 10, 1, 2, 15, 1)),
        stco: full('stco', 0, u32(2, 1000, 1000 + 10 * PICTURE_BYTES)),
        stsz: full('stsz', 0, u32(0, 25), u32(...Array(25).fill(PICTURE_BYTES))),
      },
    },
    { kind: 'sound', samples: 100 },
  ],
  data: times(60, png(64, 48)),
});

describe('a hostile index', () => {
  it('has the position of every sample if it is valid', async () => {
    const track = (await outcome(whole, 'vide')) as Mp4Track;
    expect(track.offsets[10]).toBe(1000 + 10 * PICTURE_BYTES);
    expect([track.sizes.length, track.sizes[24]]).toEqual([25, PICTURE_BYTES]);
    expect([track.shifts[19], track.shifts[20]]).toEqual([1, 0]);
    expect(Array.from(track.keys!).flatMap((key, at) => (key ? [at] : []))).toEqual([0, 12]);
    expect(await outcome(sound({ samples: 0 }))).toBeNull();
  });

  it('never causes samples or reads outside the file, for any bytes', async () => {
    const odd = fc.oneof(
      fc.constantFrom(0, 1, 2, 7, 8, 9, 16, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff),
      fc.nat({ max: 2000 }),
      fc.maxSafeNat(),
    );
    const moovEnds = whole.indexOf('mdat');
    const changes = fc.array(fc.tuple(fc.nat({ max: moovEnds }), odd, fc.boolean()), { maxLength: 8 });
    const length = fc.oneof(fc.constant(whole.length), fc.nat({ max: whole.length }));
    await fc.assert(
      fc.asyncProperty(changes, length, fc.constantFrom('vide', 'soun'), async (made, cut, kind) => {
        const bytes = Buffer.from(whole);
        for (const [at, value, isNumber] of made) {
          if (isNumber) bytes.writeUInt32BE(value >>> 0, at);
          else bytes[at] = value & 0xff;
        }
        const { source, seen } = file(bytes.subarray(0, cut));
        const track = await readMp4Track(source, kind).catch((error: Error) => {
          // `file` throws this error for reads outside of the file.
          if (/^\d+ to /.test(error.message)) throw error;
          return null;
        });
        expect(seen.bytes).toBeLessThanOrEqual(cut + 16_000);
        if (track === null) return;
        const { sizes, durations, shifts, offsets } = track;
        const counts = [durations, shifts, offsets].map(({ length }) => length);
        expect(counts).toEqual(Array(3).fill(sizes.length));
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(cut);
        expect(offsets.every((offset, at) => offset >= 0 && offset + sizes[at]! <= cut)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(Object.entries(endless))(
    'allocates no memory for a table of %s that states more entries than it has',
    async (_, table) => {
      const type = table.toString('latin1', 4, 8);
      expect(await outcome(sound({ tables: { [type]: table } }))).toMatch(/Error/);
    },
  );

  it('is refused if samples share bytes', async () => {
    const samples = 4000;
    const stsc = full('stsc', 0, u32(1, 1, 1, 1));
    const shared = full('stco', 0, u32(samples), u32(...Array(samples).fill(700)));
    const tables = { stsc, stco: shared, stsz: full('stsz', 0, u32(10_000, samples)) };
    expect(await outcome(sound({ samples, tables }))).toMatch('more bytes than the file');
  });

  it('causes no endless loop if it has empty groups', async () => {
    const count = 20_000;
    const back = u32(...Array.from({ length: count }, (_, at) => [at % 2 === 0 ? 1 : count, 0, 1]).flat());
    const tables = {
      stsc: full('stsc', 0, u32(count), back),
      stco: full('stco', 0, u32(count), u32(...Array(count).fill(700))),
    };
    expect(await outcome(sound({ tables }))).toMatch('groups out of order');
  });

  it.each([
    ['has too many boxes', box('moov', times(2000, box('free')))],
    ['is empty', box('moov')],
    ['is longer than the file, in 64 bits', join(u32(1), text('moov'), u64(2n ** 63n))],
    ['is shorter than its own head', join(u32(1), text('moov'), u64(9))],
    ['states a 64-bit size but has no further bytes', join(u32(1), text('moov'))],
  ])('is refused if it %s', async (_, index) => {
    expect(await outcome(join(box('ftyp', text('isom')), index))).toMatch(/Error/);
  });

  it('gives no frames that can be copied if it is refused', async () => {
    const { source } = file(sound({ tables: { stsc: endless.stsc } }));
    const media = { ...source, address: '', bytes_read: 0, requireWhole: () => {} };
    const known = { container: 'mp4', frame_rate: { num: 25, den: 1 }, phase_us: 0 };
    expect(await findCleanFrames(media as never, known)).toBeNull();
  });
});
