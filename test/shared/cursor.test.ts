import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, readVersionCursor, writeCursor, writeVersionCursor } from '../../shared/cursor.ts';
import { forAny } from '../support/for-any.ts';

const versionCursors = fc.record({ version: fc.nat(), page: fc.nat(), skip: fc.nat() });
const counted = fc.record({ total: fc.nat(), total_is_lower_bound: fc.boolean() });
const cursors = fc.record({ after: fc.uuid(), page: fc.nat(), counted });
const ofList = writeCursor(
  { after: crypto.randomUUID(), page: 2, counted: { total: 9, total_is_lower_bound: false } },
  ['all'],
);

describe('cursors', () => {
  it('have the same content after encoding and decoding, for the same filters', () => {
    forAny([cursors, fc.array(fc.string())], (cursor, filters) => {
      expect(readCursor(writeCursor(cursor, filters), filters)).toEqual(cursor);
    });
    forAny([versionCursors, fc.array(fc.string())], (cursor, filters) => {
      expect(readVersionCursor(writeVersionCursor(cursor, filters), filters)).toEqual(cursor);
    });
  });

  it('of lists cannot be used for versions, and vice versa', () => {
    const ofVersion = writeVersionCursor({ version: 3, page: 2, skip: 16 }, ['all']);
    expect(() => readVersionCursor(ofList, ['all'])).toThrow('Invalid cursor');
    expect(() => readCursor(ofVersion, ['all'])).toThrow('Invalid cursor');
  });

  it('are refused for other filters', () => {
    expect(() => readCursor(ofList, ['sentiment#neutral'])).toThrow('other filters');
  });

  it('are rejected for any other text', () => {
    forAny([fc.string()], (text) => {
      expect(() => readCursor(text, ['all'])).toThrow('invalid_cursor');
      expect(() => readVersionCursor(text, ['all'])).toThrow('invalid_cursor');
    });
  });
});
