import { describe, expect, it } from 'vitest';
import {
  changedSegments,
  newSegments,
  requireLegible,
  withNewSegments,
} from '../../../../../lambdas/transcripts/segments/rules/edit-segments.ts';
import { derivedId } from '../../../../../shared/derived-ids.ts';
import { segment } from '../../../subtitles/speech.ts';

const segmentAt = (segment_id: string, start_ms: number) =>
  segment('x', start_ms, start_ms + 1, { segment_id });

describe('the text of a transcription', () => {
  const long = (id: string) => ({ ...segmentAt(id, 0), text: '字'.repeat(5000) });
  const full = Array.from({ length: 200 }, (_, at) => long(`s${at}`));

  it('can have at most a million characters', () => {
    expect(() => requireLegible([], full)).not.toThrow();
    expect(() => requireLegible(full, [...full, segmentAt('one', 1)])).toThrow('1000001 characters');
  });

  it('can become shorter even if it is still above the limit', () => {
    const longer = [...full, ...full];
    expect(() => requireLegible(longer, [...full, segmentAt('one', 1)])).not.toThrow();
  });
});

describe('new segments', () => {
  it('are inserted after existing segments with the same start', () => {
    const there = [segmentAt('a', 0), segmentAt('b', 5)];
    const ids = withNewSegments(there, [segmentAt('c', 5), segmentAt('d', 0)]).map(
      ({ segment_id }) => segment_id,
    );
    expect(ids).toEqual(['a', 'd', 'b', 'c']);
  });

  it('are rejected if speech would exceed twelve hours', () => {
    const many = Array.from({ length: 21_600 }, (_, at) => segmentAt(String(at), at));
    expect(withNewSegments(many.slice(1), [segmentAt('last', 0)])).toHaveLength(21_600);
    expect(() => withNewSegments(many, [segmentAt('last', 0)])).toThrow('payload_too_large');
  });
});

describe('the text of a segment', () => {
  const refusal = expect.objectContaining({
    findings: [expect.objectContaining({ pointer: expect.stringMatching(/\/text$/), code: 'too_short' })],
  });
  const edit = (text: string) => changedSegments([segmentAt('a', 0)], [{ id: 'a', pointer: '', text }], []);
  const add = (text: string) =>
    newSegments([{ text, start_ms: 0, end_ms: 1000, speaker: 'Ana' }], {
      speakers: [],
      originals: new Set(),
      idOf: String,
    });

  it.each(['', ' \n', '\u200b', '\u00ad\u2060\ufeff', '\u0301', '\u3164', '\u2800', '\ufe0f'])(
    'is rejected if all characters are invisible: %j',
    (text) => {
      expect(() => edit(text)).toThrow(refusal);
      expect(() => add(text)).toThrow(refusal);
    },
  );

  it.each(['...', '♪', '👩‍👩‍👧', 'می‌خواهم', '…', 'ا\u064b'])(
    'is accepted if it has a visible character: %s',
    (text) => {
      expect(edit(text)[0]!.text).toBe(text);
      expect(add(text)[0]!.text).toBe(text);
    },
  );
});

describe('ids that a request derives from its own id', () => {
  const own = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

  it('are UUIDv7 with its time, repeatable, different from each other, and sorted in their order', () => {
    const ids = Array.from({ length: 1000 }, (_, at) => derivedId(own, at));
    for (const id of ids) {
      expect(id).toMatch(/^019a9d2c-7b1e-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(Array.from({ length: 1000 }, (_, at) => derivedId(own, at))).toEqual(ids);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
    expect(derivedId('019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a12', 0)).not.toBe(ids[0]);
  });
});
