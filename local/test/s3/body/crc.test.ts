import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CrcName, combineCrc, crc } from '../../../s3/body/crc.ts';

const names: CrcName[] = ['CRC32', 'CRC32C', 'CRC64NVME'];
const of = (name: CrcName, ...pieces: Uint8Array[]) => {
  const running = crc(name);
  for (const piece of pieces) running.update(Buffer.from(piece));
  return running.digest();
};

describe('a cyclic redundancy check', () => {
  // Source: the check values of the "Catalogue of parametrised CRC algorithms", over the digits 1 to 9.
  it.each([
    ['CRC32', 'cbf43926'],
    ['CRC32C', 'e3069283'],
    ['CRC64NVME', 'ae8b14860a799888'],
  ] as const)('as %s has the published check value', (name, check) => {
    expect(of(name, Buffer.from('123456789')).toString('hex')).toBe(check);
  });

  it.each(names)('as %s does not depend on how the data is split', (name) => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(of(name, a, b)).toEqual(of(name, Buffer.concat([a, b])));
      }),
    );
  });

  it.each(names)('as %s of the whole is computed from the checksums of two parts', (name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        expect(combineCrc(name, of(name, a), of(name, b), b.length)).toEqual(of(name, a, b));
      }),
    );
  });
});
