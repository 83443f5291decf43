import { describe, expect, it } from 'vitest';
import {
  bareEtags,
  requireBytesWithin,
  requireSameParts,
} from '../../../../lambdas/uploads/rules/upload-parts.ts';

const MIB = 1024 * 1024;
const arrived = (...etags: string[]) =>
  etags.map((etag, at) => ({ part_number: at + 1, etag, size: 5 * MIB }));

const findingsOf = (work: () => void) => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as { findings: { code: string; pointer: string }[] }).findings.map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
  }
};

describe('the ETags of the parts of an upload', () => {
  it('are accepted with or without quotes and weak prefixes', () => {
    expect(bareEtags(['"a"', 'b', ' W/"c" '])).toEqual(['a', 'b', 'c']);
  });

  it('are correct if every ETag is that of the part at its position', () => {
    expect(findingsOf(() => requireSameParts(['a', 'b'], arrived('a', 'b')))).toEqual([]);
  });

  it.each([
    ['a part that has not arrived', ['a', 'b'], arrived('a'), '/etags/1 part_missing'],
    ['a part that arrived with other bytes', ['a', 'x'], arrived('a', 'b'), '/etags/1 part_differs'],
    ['a part that is not named', ['a'], arrived('a', 'b'), '/etags too_few'],
    ['parts in another order', ['b', 'a'], arrived('a', 'b'), '/etags/0 part_differs'],
  ])('cause an error that names %s', (_, etags, parts, finding) => {
    expect(findingsOf(() => requireSameParts(etags, parts))).toContain(finding);
  });

  it('cause an error that names a part below 5 MiB, except the last', () => {
    const parts = arrived('a', 'b').map((part) => ({ ...part, size: 1 }));
    expect(findingsOf(() => requireSameParts(['a', 'b'], parts))).toEqual(['/etags/0 too_small']);
  });

  it('are refused if the total number of bytes exceeds the limit', () => {
    expect(requireBytesWithin(arrived('a', 'b'), 10 * MIB)).toBe(10 * MIB);
    expect(() => requireBytesWithin(arrived('a', 'b', 'c'), 10 * MIB)).toThrow(
      expect.objectContaining({ code: 'payload_too_large', detail: expect.stringContaining('10485760') }),
    );
  });
});
