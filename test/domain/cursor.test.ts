import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from '../../lambdas/domain/cursor.ts';

const cursors = fc.record({ after: fc.uuid(), page: fc.nat(), total: fc.nat() });

describe('cursors', () => {
  it('read back as they were written, for the same filters', () => {
    fc.assert(
      fc.property(cursors, fc.array(fc.string()), (cursor, filters) => {
        expect(readCursor(writeCursor(cursor, filters), filters)).toEqual(cursor);
      }),
    );
  });

  it('are refused for other filters', () => {
    const cursor = writeCursor({ after: crypto.randomUUID(), page: 2, total: 9 }, ['all']);
    expect(() => readCursor(cursor, ['sentiment#neutral'])).toThrow('other filters');
  });

  it('are refused, whatever else the text is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readCursor(text, ['all'])).toThrow('invalid_cursor');
      }),
    );
  });
});
