/** Makes cues after thousands of random edits, and checks the guarantees that editors rely on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../lambdas/subtitles/rules/cue.ts';
import { linesWritten } from '../../../../lambdas/subtitles/rules/line-breaks.ts';
import { cuesFromSegments, shownPhrases } from '../../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../../lambdas/subtitles/rules/script.ts';
import { withQc } from '../../../../lambdas/transcripts/quality/rules/mark-segments.ts';
import { segmentsFromWords } from '../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import {
  joinSegments,
  splitSegment,
  withoutSegment,
} from '../../../../lambdas/transcripts/segments/rules/cut-segments.ts';
import {
  changedSegments,
  newSegments,
  type SegmentChange,
  withNewSegments,
} from '../../../../lambdas/transcripts/segments/rules/edit-segments.ts';
import { Inconsistent } from '../../../../shared/problems.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { forAny } from '../../../support/for-any.ts';
import { anyWords, countingIds, letters } from '../../subtitles/speech.ts';

const MEDIA_MS = 60_000;
const MIN_MS = 834;
/** If several segments have the same few milliseconds as set times, their cues do not fit into these times. */
const CROWD_MS = 40;

const anyTime = fc.integer({ min: 0, max: MEDIA_MS });
const anyText = fc
  .array(
    fc.constantFrom(
      ...['Yes.', 'No, we did not.', 'and then', 'the house of the old man', 'Really?', '- Who?\n- Me.'],
      ...['Ou\u0300 e\u0301tait l\u2019e\u0301te\u0301\u00a0?', '字幕がどのように作られるか。', '说明这个。'],
      ...['مرحبا بكم في هذا الفيديو.', 'שלום.', 'ไม่เป็นไรครับ', 'x'.repeat(2000), '👩‍👩‍👧', 'A\n\nB'],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(' '));

type Edit = (segments: Segment[]) => Segment[];

const chosen = (segments: readonly Segment[], nth: number) => segments[nth % segments.length];
const editOf =
  (nth: number, edit: (segments: Segment[], one: Segment) => Segment[]): Edit =>
  (segments) => {
    const one = chosen(segments, nth);
    return one ? edit(segments, one) : segments;
  };
type Added = { text: string; start_ms: number; end_ms: number; speaker: string };
const written = (added: readonly Added[], idOf: (nth: number) => string) =>
  newSegments(added, { speakers: [], originals: new Set(), idOf, mediaDurationMs: MEDIA_MS });
const spanOf = (one: number, other: number) => {
  const start_ms = Math.min(one, other, MEDIA_MS - 1);
  return { start_ms, end_ms: Math.max(one, other, start_ms + 1) };
};

function changing(change: SegmentChange) {
  return (segments: Segment[], nths: readonly number[]) => {
    const ids = new Set(nths.flatMap((nth) => chosen(segments, nth)?.segment_id ?? []));
    const changes = [...ids].map((id, i) => ({ id, pointer: `/segments/${i}`, ...change }));
    return changedSegments(segments, changes, [], MEDIA_MS);
  };
}

const anyChange: fc.Arbitrary<SegmentChange> = fc.oneof(
  fc.tuple(anyTime, anyTime).map(([one, other]) => spanOf(one, other)),
  fc.record({ end_ms: anyTime }),
  fc.record({ start_ms: anyTime }),
  fc.record({ text: anyText }),
  fc.record({ speaker_id: fc.constant(null) }),
  fc.tuple(anyTime, anyText).map(([end_ms, text]) => ({ end_ms, text })),
);
const nudge = fc.tuple(fc.nat(), fc.integer({ min: -900, max: 900 })).map(([nth, by]) =>
  editOf(nth, (segments, one) => {
    const start_ms = Math.min(Math.max(one.start_ms + by, 0), MEDIA_MS - 1);
    const end_ms = Math.min(Math.max(one.end_ms + by, start_ms + 1), MEDIA_MS);
    return changing({ start_ms, end_ms })(segments, [nth]);
  }),
);
const overlapOf = fc
  .tuple(fc.nat(), fc.nat())
  .map(([nth, other]) =>
    editOf(other, (segments, { start_ms, end_ms }) =>
      end_ms > MEDIA_MS ? segments : changing({ start_ms, end_ms })(segments, [nth]),
    ),
  );
const interruptions = fc.tuple(fc.nat(), anyText, fc.uuid()).map(([nth, text, id]) =>
  editOf(nth, (segments, { start_ms, end_ms }) => {
    if (end_ms > MEDIA_MS) return segments;
    const added = written([{ start_ms, end_ms, text, speaker: 'Ana' }], () => id);
    return withNewSegments(changing({ start_ms, end_ms })(segments, [nth]), added);
  }),
);
const edits = fc.tuple(anyChange, fc.array(fc.nat(), { minLength: 1, maxLength: 3 })).map(
  ([change, nths]): Edit =>
    (segments) =>
      changing(change)(segments, nths),
);
const additions = fc
  .tuple(anyTime, anyTime, anyText, fc.constantFrom('Ana', 'Speaker 1'), fc.uuid())
  .map(([one, other, text, speaker, id]): Edit => {
    const added = [{ ...spanOf(one, other), text, speaker }];
    return (segments) =>
      withNewSegments(
        segments,
        written(added, () => id),
      );
  });
const cuts = fc
  .tuple(
    fc.nat(),
    fc.oneof(
      fc.record({ word: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ character: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ time_ms: anyTime }),
    ),
    fc.uuid(),
  )
  .map(([nth, cut, id]) =>
    editOf(nth, (segments, { segment_id }) => splitSegment(segments, segment_id, cut, id)),
  );
const joints = fc.tuple(fc.nat(), fc.uuid()).map(([nth, id]): Edit => {
  return (segments) => {
    const [one, next] = segments.slice(nth % Math.max(segments.length, 1)).slice(0, 2);
    return one && next ? joinSegments(segments, [one.segment_id, next.segment_id], id) : segments;
  };
});
const deletions = fc
  .nat()
  .map((nth) => editOf(nth, (segments, { segment_id }) => withoutSegment(segments, segment_id)));
const anyEdits = fc.array(
  fc.oneof(edits, nudge, overlapOf, interruptions, additions, cuts, joints, deletions),
  {
    minLength: 1,
    maxLength: 12,
  },
);

function edited(segments: Segment[], all: readonly Edit[]): Segment[] {
  return all.reduce((before, edit) => {
    try {
      return edit(before);
    } catch (error) {
      if (error instanceof Inconsistent) return before;
      throw error;
    }
  }, segments);
}

const anyEdited = fc
  .tuple(anyWords, anyEdits, fc.constantFrom('en', 'ja', 'ar', 'th', undefined))
  .map(([words, all, language]) => {
    const options = language === undefined ? {} : { language };
    const heard = segmentsFromWords(words, { newId: countingIds(), ...options });
    return { segments: edited(heard, all), options: { ...options, mediaDurationMs: MEDIA_MS } };
  });

const always = (
  check: (edited: typeof anyEdited extends fc.Arbitrary<infer Edited> ? Edited : never) => void,
) => fc.assert(fc.property(anyEdited, check), { numRuns: 800 });

/** The text without speaker dashes, because edits add and remove these dashes. */
const said = (text: string) => letters(text).replaceAll('-', '');

/**
 * The times of segments on screen. A segment has its own times. Two segments that are spoken at the same time have the
 * times of both.
 */
const spanOfAll = (all: readonly Segment[]) => ({
  start_ms: Math.min(...all.map(({ start_ms }) => start_ms)),
  end_ms: Math.max(...all.map(({ end_ms }) => end_ms)),
});

describe('after any edits', () => {
  it('cues are in order, do not overlap, end with the media, and last at least 1 ms', () => {
    always(({ segments, options }) => {
      let free = 0;
      for (const { start_ms, end_ms } of cuesFromSegments(segments, options)) {
        expect(start_ms).toBeGreaterThanOrEqual(free);
        expect(end_ms).toBeGreaterThan(start_ms);
        expect(Number.isInteger(start_ms) && Number.isInteger(end_ms)).toBe(true);
        free = end_ms;
      }
      expect(free).toBeLessThanOrEqual(MEDIA_MS);
    });
  });

  it('no text is lost, and two segments that share a cue have one line each, after a dash', () => {
    always(({ segments, options }) => {
      const phrases = shownPhrases(segments, options);
      const duets = phrases.filter((phrase) => phrase.segments.length > 1);
      const inDuets = new Set(duets.flatMap((phrase) => phrase.segments));
      for (const { segments: places, atoms } of duets) {
        const [one, other] = places.map((place) => said(segments[place]!.text));
        expect(said(atoms.map(({ text }) => text).join(''))).toBe(one! + other!);
        expect(linesWritten(atoms).map(([dash]) => dash!.text)).toEqual(['-', '-']);
      }
      segments.forEach(({ text }, place) => {
        if (inDuets.has(place)) return;
        const shown = phrases
          .filter((phrase) => phrase.segments[0] === place)
          .sort((one, other) => one.shown.start_ms - other.shown.start_ms)
          .flatMap(({ atoms }) => atoms.map(({ text }) => text));
        expect(said(shown.join(''))).toBe(said(text));
      });
      const lines = cuesFromSegments(segments, options).flatMap((cue: Cue) => cue.lines);
      const inAll = (texts: string[]) => [...said(texts.join(''))].sort().join('');
      expect(inAll(lines)).toBe(inAll(segments.map(({ text }) => text)));
    });
  });

  it('a segment with set times is shown within them, or for 5/6 s from its start', () => {
    always(({ segments, options }) => {
      for (const { segments: places, shown } of shownPhrases(segments, options)) {
        if (segments[places[0]!]!.timing !== 'set') continue;
        const { start_ms, end_ms } = spanOfAll(places.map((place) => segments[place]!));
        expect(shown.start_ms).toBeGreaterThanOrEqual(start_ms - CROWD_MS);
        expect(shown.end_ms).toBeLessThanOrEqual(Math.max(end_ms, start_ms + MIN_MS) + CROWD_MS);
      }
    });
  });

  it('a segment with set times is shown for all of them, if no other set segment is near', () => {
    always(({ segments, options }) => {
      const phrases = shownPhrases(segments, options);
      segments.forEach(({ timing, start_ms, end_ms }, place) => {
        const isNear = (other: Segment) =>
          other.timing === 'set' &&
          other.start_ms < Math.max(end_ms, start_ms + MIN_MS) + 80 &&
          start_ms < Math.max(other.end_ms, other.start_ms + MIN_MS) + 80;
        const isAlone = segments.every((other, at) => at === place || !isNear(other));
        const own = phrases.filter((phrase) => phrase.segments.includes(place));
        const isShared = segments.some(
          (other) => other.timing !== 'set' && other.start_ms < Math.max(end_ms, start_ms + MIN_MS),
        );
        if (timing !== 'set' || !isAlone || isShared || own.length === 0) return;
        const shown = own.map(({ shown }) => shown);
        expect(Math.min(...shown.map((span) => span.start_ms))).toBe(start_ms);
        const until = Math.min(Math.max(end_ms, start_ms + MIN_MS), MEDIA_MS);
        expect(Math.max(...shown.map((span) => span.end_ms))).toBe(until);
      });
    });
  });

  it('a segment is shown without interruption by set segments', () => {
    always(({ segments, options }) => {
      const isSet = ({ segments: places }: { segments: readonly number[] }) =>
        segments[places[0]!]!.timing === 'set';
      const order = shownPhrases(segments, options)
        .filter(isSet)
        .sort((one, other) => one.shown.start_ms - other.shown.start_ms)
        .map((phrase) => phrase.segments[0]!);
      const turns = order.filter((place, i) => place !== order[i - 1]);
      expect(new Set(turns).size).toBe(turns.length);
    });
  });

  it('the words of a text are timed by the recognized words, not by earlier edits', () => {
    forAny([anyWords, anyText, anyText], (words, before, after) => {
      const [heard] = segmentsFromWords(words, { newId: countingIds() });
      if (!heard) return;
      const written = (text: string) => (segments: Segment[]) => changing({ text })(segments, [0]);
      const [direct] = written(after)([heard]);
      const [again] = written(after)(written(before)([heard]));
      if (after.trim() !== heard.text) expect(again!.words).toEqual(direct!.words);
    });
  });

  it('quality marks name exactly the cues shorter than 5/6 s', () => {
    always(({ segments, options }) => {
      const marked = withQc(segments, options.language, MEDIA_MS);
      const short = new Set<number>();
      for (const { segments: places, shown } of shownPhrases(segments, options))
        if (shown.end_ms - shown.start_ms < MIN_MS) for (const place of places) short.add(place);
      const named = marked.flatMap(({ qc }, place) =>
        qc.some(({ code }) => code === 'short_cue') ? [place] : [],
      );
      expect(named).toEqual([...short].sort((one, other) => one - other));
    });
  });

  it('no cue is short if no segments overlap and each lasts a second', () => {
    const oneLine = anyText.filter((text) => displayWidth(text) <= 42);
    fc.assert(
      fc.property(fc.array(oneLine, { minLength: 1, maxLength: 20 }), (texts) => {
        const given = texts.map((text, i) => {
          return { text, start_ms: i * 2000, end_ms: i * 2000 + 1000 + ((i * 337) % 1000), speaker: 'Ana' };
        });
        const made = written(given, String);
        for (const { shown } of shownPhrases(made, { mediaDurationMs: MEDIA_MS }))
          expect(shown.end_ms - shown.start_ms).toBeGreaterThanOrEqual(MIN_MS);
      }),
      { numRuns: 300 },
    );
  });
});
