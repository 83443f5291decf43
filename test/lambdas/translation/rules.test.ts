import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translatedKeeping } from '../../../engines/translation/keeping.ts';
import { isStale, originsOf } from '../../../lambdas/transcripts/rules/lineage.ts';
import { writtenSentences } from '../../../lambdas/transcripts/rules/written-sentences.ts';
import { fitted } from '../../../lambdas/translation/rules/fitting.ts';
import { keeping, keptIn } from '../../../lambdas/translation/rules/kept-words.ts';
import {
  planned,
  translatedSegments,
  withDependents,
  withRetranslated,
} from '../../../lambdas/translation/rules/translated-segments.ts';
import { withoutUnwanted } from '../../../lambdas/translation/rules/unwanted-words.ts';
import type { Segment } from '../../../platform/shared/segments.ts';

const segment = (text: string, nth: number, more: Partial<Segment> = {}): Segment => ({
  segment_id: `019a9d2d-5a1b-7e21-9c0f-0000000000${String(nth).padStart(2, '0')}`,
  original_segment_id: null,
  start_ms: nth * 1000,
  end_ms: nth * 1000 + 900,
  text,
  speaker: 'Ana',
  speaker_id: null,
  confidence: 0.9,
  words: [],
  ...more,
});
const segments = (...texts: string[]) => texts.map((text, nth) => segment(text, nth));
const sentencesOf = (...texts: string[]) =>
  writtenSentences(segments(...texts), 'en').map(({ text }) => text);

describe('a sentence', () => {
  it('runs through segments until its end, and several share one', () => {
    expect(sentencesOf('We are here. And', 'they are', 'there! Who?', 'Nobody.')).toEqual([
      'We are here.',
      'And they are there!',
      'Who?',
      'Nobody.',
    ]);
  });

  it.each([
    ['an abbreviation', ['Dr. Smith met Mr.', 'Jones at 3.30 p.m. in the U.S. Army.'], 1],
    ['a closing quote', ['He said “stop.”', 'She went.'], 2],
    ['Japanese', ['これは本です。', 'あれは'], 2],
  ])('ends rightly at %s', (_, texts, count) => {
    expect(sentencesOf(...texts)).toHaveLength(count);
  });

  it('ends where another speaks, nobody speaks for long, or it has gone on for long', () => {
    const [one, two] = segments('we go', 'and you');
    expect(writtenSentences([one!, { ...two!, speaker: 'Bob' }], 'en')).toHaveLength(2);
    expect(writtenSentences([one!, { ...two!, start_ms: 9000, end_ms: 9900 }], 'en')).toHaveLength(2);
    expect(
      writtenSentences(
        Array.from({ length: 60 }, (_, nth) => segment('and so on', nth)),
        'en',
      ).length,
    ).toBe(5);
  });

  it('loses no text of any segment', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 12 });
    fc.assert(
      fc.property(texts, (all) => {
        const parts = writtenSentences(segments(...all), 'en').flatMap((sentence) => sentence.parts);
        const of = (nth: number) =>
          parts
            .filter((part) => part.segment === nth)
            .map(({ text }) => text)
            .join('');
        for (const [nth, text] of all.entries())
          expect(of(nth).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});

describe('a translated sentence over its segments', () => {
  it('is cut between words where the original is, rather after a comma', () => {
    expect(fitted('uno dos tres, cuatro cinco seis siete', [20, 20], [], 'es')).toEqual([
      'uno dos tres,',
      'cuatro cinco seis siete',
    ]);
  });

  it('is never cut within a name', () => {
    expect(fitted('el New York Times dice', [6, 6], ['New York Times'], 'es')).toEqual([
      'el New York Times',
      'dice',
    ]);
  });

  it('is cut in scripts without spaces as well', () => {
    const parts = fitted('これはとても古い本です。', [5, 5], [], 'ja');
    expect(parts.every((part) => part !== '')).toBe(true);
    expect(parts.join('')).toBe('これはとても古い本です。');
  });

  it('keeps all its words in order, with some for each segment where there are enough', () => {
    const words = fc.array(fc.stringMatching(/^[a-zñ]{1,12}[,.]?$/), { minLength: 1, maxLength: 40 });
    const weights = fc.array(fc.nat(80), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, weights, (all, each) => {
        const parts = fitted(all.join(' '), each, [], 'es');
        expect(parts).toHaveLength(each.length);
        expect(parts.filter((part) => part !== '').join(' ')).toBe(all.join(' '));
        if (all.length >= each.length) expect(parts).not.toContain('');
      }),
    );
  });
});

describe('names, numbers and placeholders', () => {
  const names = ['Kinora', 'New York Times', 'C++', 'IT'];
  const find = keptIn(names);
  const foundIn = (text: string) => find(text).map(({ start, end }) => text.slice(start, end));

  it('are found as whole words, longest first, in any case but for short ones', () => {
    expect(foundIn("kinora's book, (the New york times) in C++: it is IT. Kinorama")).toEqual([
      'kinora',
      'New york times',
      'C++',
      'IT',
    ]);
  });

  /** What engines do at their worst: words dropped, doubled and turned around, in any letters. */
  const hostile =
    (seed: number) =>
    async (texts: readonly string[]): Promise<string[]> =>
      texts.map((text, nth) => {
        const roll = (at: number) => (seed * 31 + nth * 17 + at * 7) % 11;
        const words = text.split(' ').flatMap((word, at) => {
          const kinds = [[], [word, word], [word.toUpperCase()], [word.toLowerCase()], [word.slice(1)]];
          return kinds[roll(at)] ?? [word];
        });
        return (seed % 2 === 0 ? words.reverse() : words).join(' ');
      });

  const plain = fc.constantFrom('the', 'house', 'of', 'reads', 'and', 'see,', 'old.');
  const kept = fc.constantFrom(
    'Kinora',
    'New York Times',
    'C++',
    '{name}',
    '<b>',
    '%d',
    '42',
    '1,000',
    '12:30',
    '@ann',
    '3.5',
  );
  const sentence = fc.array(fc.oneof(plain, kept), { minLength: 1, maxLength: 14 });

  it('are all there, as often as they were, whatever an engine does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { maxLength: 5 }), fc.nat(1000), async (all, seed) => {
        const texts = all.map((words) => words.join(' '));
        const answers = await translatedKeeping(texts, keeping(find), hostile(seed));
        const count = (text: string, part: string) => text.split(part).length - 1;
        const parts = ['Kinora', 'New York Times', 'C++', '{name}', '<b>', '%d', '@ann'];
        texts.forEach((text, nth) => {
          for (const part of parts)
            expect(count(answers[nth]!, part)).toBeGreaterThanOrEqual(count(text, part));
          const digits = (one: string) => [...one.matchAll(/\d+/g)].map(([found]) => found).sort();
          for (const number of new Set(digits(text)))
            expect(digits(answers[nth]!).filter((one) => one === number).length).toBeGreaterThanOrEqual(
              digits(text).filter((one) => one === number).length,
            );
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a retranslation', () => {
  const original = {
    segments: segments('We are here. And', 'they are', 'there! Who?', 'Nobody.'),
    language: 'en',
  };
  const made = { transcription_id: 't', created_at: '2026-11-21T09:00:00.000Z', language: 'es' };
  const none = keptIn([]);
  const upper = (plan: ReturnType<typeof planned>) => plan.sentences.map(({ text }) => text.toUpperCase());
  const translatedWhole = () => {
    const plan = planned(original, null);
    return translatedSegments(original, plan, upper(plan), made, none);
  };

  it('asks only for the sentences that share a segment with those chosen', () => {
    const plan = planned(original, new Set([original.segments[1]!.segment_id]));
    expect([...plan.places]).toEqual([0, 1, 2]);
    expect(plan.sentences.map(({ text }) => text)).toEqual(['We are here.', 'And they are there!', 'Who?']);
    expect([...planned(original, new Set([original.segments[3]!.segment_id])).places]).toEqual([3]);
  });

  it('gives the same as a translation of all, for the segments that it makes', () => {
    const plan = planned(original, new Set([original.segments[1]!.segment_id]));
    const fresh = translatedSegments(original, plan, upper(plan), made, none);
    expect(fresh).toEqual(translatedWhole().slice(0, 3));
    expect(withRetranslated(translatedWhole(), original, plan, fresh)).toEqual(translatedWhole());
  });

  it('reaches what an edit cut off from the sentence that it was part of', () => {
    const before = translatedWhole();
    const cut = original.segments.with(1, { ...original.segments[1]!, text: 'they are.' });
    const chosen = new Set([cut[1]!.segment_id]);
    const all = withDependents({ ...original, segments: cut }, chosen, before);
    expect([...planned({ ...original, segments: cut }, all).places].sort()).toEqual([0, 1, 2]);
  });

  it('takes out what came of a segment that is gone, where something else is said now', () => {
    const before = translatedWhole();
    const [gone, ...left] = original.segments;
    const now = { ...original, segments: [{ ...gone!, segment_id: 'new', text: 'We are there.' }, ...left] };
    const plan = planned(now, new Set(['new']));
    const fresh = translatedSegments(now, plan, upper(plan), made, none);
    const after = withRetranslated(before, now, plan, fresh);
    expect(after.map(({ original_segment_id }) => original_segment_id)).toEqual([
      'new',
      ...left.map(({ segment_id }) => segment_id),
    ]);
  });

  it('of all leaves nothing of what is gone, but for what a person added', () => {
    const added = { ...segment('Hola', 9), original_segment_id: null };
    const before = [...translatedWhole(), segment('Viejo', 30, { original_segment_id: 'gone' }), added];
    const plan = planned(original, null);
    expect(withRetranslated(before, original, plan, translatedWhole())).toEqual([
      ...translatedWhole(),
      added,
    ]);
  });

  it('is asked for by segments whose sentence, times or speaker changed, and by no others', () => {
    const whole = translatedWhole();
    const changed = original.segments.with(1, { ...original.segments[1]!, text: 'we are' });
    const staleOf = (now: Segment[]) => {
      const origins = originsOf(now, 'en');
      return whole.flatMap((each, nth) => (isStale(each, origins) ? [nth] : []));
    };
    expect(staleOf(original.segments)).toEqual([]);
    expect(staleOf(changed)).toEqual([0, 1, 2]);
    expect(staleOf(original.segments.with(3, { ...original.segments[3]!, speaker: 'Bob' }))).toEqual([3]);
  });
});

describe('a blacklist', () => {
  it.each([
    ['es', 'Maldito, el coche es VIEJO.', 'El coche es.'],
    ['es', 'Un viejo amigo maldito!', 'Un viejo amigo!'],
    ['es', '¡Viejo!', ''],
    ['es', 'Nada de eso.', 'Nada de eso.'],
    ['zh', '这是老车。', '这是车。'],
  ])('leaves its words out of a translation into %s: %s', (language, sentence, left) => {
    const blacklist = ['maldito', 'viejo', 'Viejo amigo', '老'];
    expect(withoutUnwanted(blacklist, ['viejo amigo'], language)(sentence)).toBe(left);
  });
});
