import { describe, expect, it } from 'vitest';
import {
  bareEtags,
  type Promised,
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

  it.each<[string, string[], ReturnType<typeof arrived>, Promised, string[]]>([
    ['the ETag of every part, in order', ['a', 'b'], arrived('a', 'b'), { parts: 2 }, []],
    ['more parts than were promised', ['a', 'b'], arrived('a', 'b'), { parts: 1 }, []],
    [
      'fewer parts, with the size of the file',
      ['a'],
      arrived('a', 'b'),
      { parts: 2, size_bytes: 5 * MIB },
      [],
    ],
    ['a part that has not arrived', ['a', 'b'], arrived('a'), { parts: 0 }, ['/etags/1 part_missing']],
    [
      'promised parts that were not sent',
      ['a'],
      arrived('a'),
      { parts: 3 },
      ['/etags part_missing', '/etags part_missing'],
    ],
    ['a part with other bytes', ['a', 'x'], arrived('a', 'b'), { parts: 2 }, ['/etags/1 part_differs']],
    ['a part that is not named', ['a'], arrived('a', 'b'), { parts: 1 }, ['/etags too_few']],
    [
      'parts in another order',
      ['b', 'a'],
      arrived('a', 'b'),
      { parts: 2 },
      ['/etags/0 part_differs', '/etags/1 part_differs'],
    ],
    [
      'another size',
      ['a', 'b'],
      arrived('a', 'b'),
      { parts: 2, size_bytes: 1 },
      ['/size_bytes size_differs'],
    ],
    [
      'a part below 5 MiB, except the last',
      ['a', 'b'],
      arrived('a', 'b').map((part) => ({ ...part, size: 1 })),
      { parts: 2 },
      ['/etags/0 too_small'],
    ],
  ])('are compared: %s', (_, etags, parts, promised, findings) => {
    expect(findingsOf(() => requireSameParts(etags, parts, promised))).toEqual(findings);
  });

  it('cause an error that names all missing parts, and how to finish with fewer', () => {
    const parts = arrived('a', 'b', 'c', 'd').filter(({ part_number }) => part_number !== 2);
    const finish = () => requireSameParts(['a', 'b', 'c', 'd'], parts, { parts: 1000 });
    const detail = expect.stringMatching(
      /^Parts 2, 5-1000 have not arrived\. .* only 4, send its `size_bytes`/,
    );
    expect(finish).toThrow(expect.objectContaining({ code: 'upload_parts_mismatch', detail }));
  });

  it('are refused if the total number of bytes exceeds the limit', () => {
    expect(() => requireBytesWithin(10, 10)).not.toThrow();
    expect(() => requireBytesWithin(11, 10)).toThrow(
      expect.objectContaining({ code: 'payload_too_large', detail: expect.stringContaining('10') }),
    );
  });
});
