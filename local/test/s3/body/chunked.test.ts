import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChunked } from '../../../s3/body/chunked.ts';

async function* piecesOf(body: Buffer, cuts: number[]): AsyncGenerator<Buffer> {
  const places = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
  for (let at = 1; at < places.length; at += 1) yield body.subarray(places[at - 1], places[at]);
}

async function decode(body: Buffer, trailer: boolean, cuts: number[] = []) {
  const trailers: [string, string][] = [];
  const data: Buffer[] = [];
  const onTrailer = (name: string, value: string) => void trailers.push([name, value]);
  for await (const piece of decodeChunked(piecesOf(body, cuts), { trailer, onTrailer })) data.push(piece);
  return { data: Buffer.concat(data), trailers };
}

function encode(chunks: Uint8Array[], trailer: string): Buffer {
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

describe('an aws-chunked body', () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 6 });
  const cuts = fc.array(fc.nat(), { maxLength: 12 });

  it('is decoded correctly, regardless of the limits of chunks and packets', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, cuts, fc.boolean(), async (parts, places, hasTrailer) => {
        const body = encode(parts, hasTrailer ? 'X-Amz-Checksum-CRC32: AAAAAA==\r\n' : '');
        const { data, trailers } = await decode(body, hasTrailer, places);
        expect(data.equals(Buffer.concat(parts))).toBe(true);
        expect(trailers).toEqual(hasTrailer ? [['x-amz-checksum-crc32', 'AAAAAA==']] : []);
      }),
    );
  });

  it('is refused if it ends too early at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(), async (parts, at) => {
        const body = encode(parts, 'x-amz-checksum-crc32:AAAAAA==\r\n');
        await expect(decode(body.subarray(0, at % body.length), true)).rejects.toMatchObject({
          code: 'IncompleteBody',
        });
      }),
    );
  });

  it.each([
    ['a chunk that is longer than its stated size', '1\r\nab\r\n0\r\n\r\n'],
    ['a size that is not a number', 'x\r\n'],
    ['a negative size', '-1\r\n'],
    ['data after its end', '0\r\n\r\nmore'],
    ['a trailer that no header announces', '0\r\na:b\r\n\r\n'],
    ['an endless header', `1;chunk-signature=${'a'.repeat(5000)}`],
  ])('is refused if it has %s', async (_, body) => {
    await expect(decode(Buffer.from(body), false)).rejects.toMatchObject({ code: 'IncompleteBody' });
  });
});
