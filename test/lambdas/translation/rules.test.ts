import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translateWithMasks } from '../../../engines/translation/translate-with-masks.ts';
import { omittedByHand } from '../../../lambdas/transcripts/lineage/rules/missing.ts';
import {
  confirmEdited,
  isCorrected,
  originsOf,
  staleness,
} from '../../../lambdas/transcripts/lineage/rules/staleness.ts';
import { writtenSentences } from '../../../lambdas/transcripts/lineage/rules/written-sentences.ts';
import { joinSegments } from '../../../lambdas/transcripts/segments/rules/cut-segments.ts';
import { divideSentence } from '../../../lambdas/translation/rules/divide-sentence.ts';
import { keeping, keptIn } from '../../../lambdas/translation/rules/protected-words.ts';
import { withoutUnwanted } from '../../../lambdas/translation/rules/remove-unwanted-words.ts';
import {
  planTranslation,
  translatedSegments,
  withRetranslated,
} from '../../../lambdas/translation/rules/translated-segments.ts';
import type { Covered, Segment } from '../../../shared/segments.ts';
import { forAny } from '../../support/for-any.ts';
import { segment } from '../subtitles/speech.ts';

const segmentOf = (text: string, nth: number) =>
  segment(text, nth * 1000, nth * 1000 + 900, {
    segment_id: `segment ${nth}`,
    speaker: 'Ana',
    confidence: 0.9,
  });
const segments = (...texts: string[]) => texts.map(segmentOf);
const sentencesOf = (...texts: string[]) =>
  writtenSentences(segments(...texts), 'en').map(({ text }) => text);

describe('a sentence', () => {
  it('can span several segments, and several sentences can share one', () => {
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
    ['a mark with no space after it', ['¡Hola!¿Qué tal? “No.”Then go.'], 4],
  ])('ends at the right place: %s', (_, texts, count) => {
    expect(sentencesOf(...texts)).toHaveLength(count);
  });

  it('keeps an address as it was written', () => {
    expect(sentencesOf('See https://a.example/b?c=d! Then go.', 'これは本です。あれは')).toEqual([
      'See https://a.example/b?c=d!',
      'Then go.',
      'これは本です。',
      'あれは',
    ]);
  });

  it('ends after a closing quotation mark, also after a space as in French', () => {
    expect(sentencesOf('Il dit : « Ça va ? » Puis il part.', '« Oui ! »', '»Ja?« sagte er.')).toEqual([
      'Il dit : « Ça va ? »',
      'Puis il part.',
      '« Oui ! »',
      '»Ja?« sagte er.',
    ]);
  });

  it('ends at a change of speaker, at a long silence, or when it becomes too long', () => {
    const [one, two] = segments('we go', 'and you');
    expect(writtenSentences([one!, { ...two!, speaker: 'Bob' }], 'en')).toHaveLength(2);
    expect(writtenSentences([one!, { ...two!, start_ms: 9000, end_ms: 9900 }], 'en')).toHaveLength(2);
    expect(writtenSentences(segments(...Array(60).fill('and so on')), 'en')).toHaveLength(5);
  });

  it('together with the others contains all text of every segment', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 12 });
    forAny([texts], (all) => {
      const parts = writtenSentences(segments(...all), 'en').flatMap((sentence) => sentence.parts);
      const of = (nth: number) =>
        parts
          .filter((part) => part.segment === nth)
          .map(({ text }) => text)
          .join('');
      for (const [nth, text] of all.entries())
        expect(of(nth).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    });
  });
});

describe('a translated sentence', () => {
  it('is cut between words near the cuts of the original, preferably after a comma', () => {
    expect(divideSentence('uno dos tres, cuatro cinco seis siete', [20, 20], [], 'es')).toEqual([
      'uno dos tres,',
      'cuatro cinco seis siete',
    ]);
  });

  it('is never cut within a name', () => {
    expect(divideSentence('el New York Times dice', [6, 6], ['New York Times'], 'es')).toEqual([
      'el New York Times',
      'dice',
    ]);
  });

  it('is also cut in scripts without spaces', () => {
    const parts = divideSentence('これはとても古い本です。', [5, 5], [], 'ja');
    expect(parts.every((part) => part !== '')).toBe(true);
    expect(parts.join('')).toBe('これはとても古い本です。');
  });

  it('keeps all its words in order, with at least one for each segment if there are enough', () => {
    const words = fc.array(fc.stringMatching(/^[a-zñ]{1,12}[,.]?$/), { minLength: 1, maxLength: 40 });
    const weights = fc.array(fc.nat(80), { minLength: 1, maxLength: 12 });
    forAny([words, weights], (all, each) => {
      const parts = divideSentence(all.join(' '), each, [], 'es');
      expect(parts).toHaveLength(each.length);
      expect(parts.filter((part) => part !== '').join(' ')).toBe(all.join(' '));
      if (all.length >= each.length) expect(parts).not.toContain('');
    });
  });
});

describe('names, numbers and placeholders', () => {
  const names = ['Kinora', 'New York Times', 'C++', 'IT'];
  const find = keptIn(names);
  const foundIn = (text: string) => find(text).map(({ start, end }) => text.slice(start, end));

  it('are found as whole words, longest first, regardless of case unless they are short', () => {
    expect(foundIn("kinora's book, (the New york times) in C++: it is IT. Kinorama")).toEqual([
      'kinora',
      'New york times',
      'C++',
      'IT',
    ]);
  });

  /** The worst possible engines: they drop, double and reverse words, in any case. */
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
  const parts = ['Kinora', 'New York Times', 'C++', '{name}', '<b>', '%d', '@ann'];
  const kept = fc.constantFrom(...parts, '42', '1,000', '12:30', '3.5');
  const sentence = fc.array(fc.oneof(plain, kept), { minLength: 1, maxLength: 14 });

  it('stay in the translation, as often as in the original, with any engine', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { maxLength: 5 }), fc.nat(1000), async (all, seed) => {
        const texts = all.map((words) => words.join(' '));
        const answers = await translateWithMasks(texts, keeping(find), hostile(seed));
        const count = (text: string, part: string) => text.split(part).length - 1;
        texts.forEach((text, nth) => {
          for (const part of parts)
            expect(count(answers[nth]!, part)).toBeGreaterThanOrEqual(count(text, part));
          const times = (one: string, number: string) =>
            one.match(/\d+/g)?.filter((found) => found === number).length ?? 0;
          for (const [number] of text.matchAll(/\d+/g))
            expect(times(answers[nth]!, number)).toBeGreaterThanOrEqual(times(text, number));
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a retranslation', () => {
  type Original = { segments: Segment[]; language: string };
  const original: Original = {
    segments: segments('We are here. And', 'they are', 'there! Who?', 'Nobody.'),
    language: 'en',
  };
  const idOf = (nth: number) => original.segments[nth]!.segment_id;
  const made = { transcription_id: 't', created_at: '2026-11-21T09:00:00.000Z', language: 'es' };
  const none = keptIn([]);
  const upper = (plan: ReturnType<typeof planTranslation>) =>
    plan.sentences.map(({ text }) => text.toUpperCase());
  const freshOf = (now: Original, plan: ReturnType<typeof planTranslation>) =>
    translatedSegments(now, plan, { texts: upper(plan), translation: made, names: none });
  const translatedWhole = (now = original) => freshOf(now, planTranslation(now, null, { segments: [] }));
  const again = (before: Segment[], now: Original, named: string[] | null, omitted: Covered[] = []) => {
    const plan = planTranslation(now, named && new Set(named), { segments: before, omitted });
    return withRetranslated(before, now, plan, freshOf(now, plan));
  };
  const changed = (nth: number, change: Partial<Segment>, of = original): Original => {
    return { ...of, segments: of.segments.with(nth, { ...of.segments[nth]!, ...change }) };
  };
  /** A translation in which a person wrote the segments at the given places. */
  const byHand = (...places: number[]) => {
    const whole = translatedWhole();
    const ids = new Set(places.map((nth) => whole[nth]!.segment_id));
    const written = whole.map((each, nth) =>
      places.includes(nth) ? { ...each, text: `humano ${nth}` } : each,
    );
    return confirmEdited(written, ids, null);
  };
  const textsOf = (all: Segment[]) => all.map(({ text }) => text);
  const reasons = (translated: Segment[], now: Original) =>
    translated.map((each) => staleness(each, originsOf(now.segments, 'en')));

  it('translates only the sentences that share a segment with the named ones', () => {
    const plan = planTranslation(original, new Set([idOf(1)]), { segments: translatedWhole() });
    expect([...plan.places]).toEqual([0, 1, 2]);
    expect(plan.sentences.map(({ text }) => text)).toEqual(['We are here.', 'And they are there!', 'Who?']);
    expect([
      ...planTranslation(original, new Set([idOf(3)]), { segments: translatedWhole() }).places,
    ]).toEqual([3]);
  });

  it('returns the same segments as a translation of all segments', () => {
    expect(again(translatedWhole(), original, [idOf(1)])).toEqual(translatedWhole());
  });

  it('changes no corrected segment unless the request names it', () => {
    const before = byHand(0, 1, 2, 3);
    const now = changed(1, { text: 'we are' });
    expect(textsOf(again(before, now, [idOf(3)]))).toEqual(['humano 0', 'humano 1', 'humano 2', 'NOBODY.']);
    expect(textsOf(again(before, now, [idOf(1)]))).toEqual(['humano 0', 'WE ARE', 'humano 2', 'humano 3']);
    expect(textsOf(again(before, now, null))).toEqual(textsOf(before));
    expect(textsOf(again(byHand(0), now, null))).toEqual(['humano 0', 'WE ARE', 'THERE! WHO?', 'NOBODY.']);
  });

  it('never changes corrected segments that the request does not name, after any edits', () => {
    const places = fc.uniqueArray(fc.nat(3), { maxLength: 4 });
    const texts = fc.constantFrom('they go.', 'and we', 'No. And', 'Yes!');
    forAny([places, places, fc.nat(3), texts, fc.boolean()], (corrected, named, nth, text, isWhole) => {
      const before = byHand(...corrected);
      const after = again(before, changed(nth, { text }), isWhole ? null : named.map(idOf));
      for (const place of corrected.filter((each) => isWhole || !named.includes(each)))
        expect(after).toContainEqual(before[place]);
      if (!isWhole && named.length === 0) expect(after).toEqual(before);
    });
  });

  it('keeps the segments near the named ones that a person moved, cut, merged or deleted', () => {
    const [one, two, three, four] = translatedWhole() as [Segment, Segment, Segment, Segment];
    const now = changed(0, { text: 'We were here. And' });
    const moved = { ...two, end_ms: 2000 };
    expect(again([one, moved, three, four], now, [idOf(0)])[1]).toEqual(moved);
    const cut = [
      { ...two, text: 'THEY' },
      { ...two, segment_id: 'second', text: 'ARE' },
    ];
    expect(again([one, ...cut, three, four], now, [idOf(0)]).slice(1, 3)).toEqual(cut);
    const ids = [two.segment_id, three.segment_id];
    const joined = joinSegments([one, two, three, four], ids, 'joined')[1]!;
    expect(textsOf(again([one, joined, four], changed(1, { text: 'we are' }), [idOf(0)]))).toEqual([
      'WE ARE HERE. AND',
      joined.text,
      'NOBODY.',
    ]);
    expect(textsOf(again([one, joined, four], now, null)).slice(1)).toEqual([joined.text, 'NOBODY.']);
    const omitted = omittedByHand({ segments: [one, two, three, four] }, [one, two, four]);
    expect(textsOf(again([one, two, four], original, [idOf(0)], omitted))).toHaveLength(3);
  });

  it('has the set times of the original', () => {
    const timings = translatedWhole(changed(1, { timing: 'set' })).map(({ timing }) => timing ?? 'automatic');
    expect(timings).toEqual(['automatic', 'set', 'automatic', 'automatic']);
  });

  it('keeps corrections that were made during the work of the engine', () => {
    const before = translatedWhole();
    const now = changed(1, { text: 'we are' });
    for (const named of [null, new Set([idOf(1)])]) {
      const plan = planTranslation(now, named, { segments: before });
      const meanwhile = before.with(0, { ...before[0]!, text: 'humano' });
      const after = withRetranslated(meanwhile, now, plan, freshOf(now, plan));
      expect(textsOf(after)).toEqual(['humano', 'WE ARE', 'THERE! WHO?', 'NOBODY.']);
    }
  });

  it('leaves neighboring segments that an edit separated unchanged, and stale', () => {
    const now = changed(1, { text: 'they are.' });
    const after = again(translatedWhole(), now, [idOf(1)]);
    expect(textsOf(after)).toEqual(['WE ARE HERE. AND', 'THEY ARE.', 'THERE! WHO?', 'NOBODY.']);
    expect(reasons(after, now)).toEqual([null, null, 'text', null]);
  });

  it('copies times and speaker without an engine if only they changed', () => {
    const before = byHand(3);
    const now = changed(3, { start_ms: 3100, end_ms: 4500, speaker: 'Bob', timing: 'set' });
    expect(reasons(before, now)).toEqual([null, null, null, 'placement']);
    expect(planTranslation(now, new Set([idOf(3)]), { segments: before }).sentences).toEqual([]);
    for (const named of [[idOf(3)], null]) {
      const after = again(before, now, named)[3]!;
      const placed = { start_ms: 3100, end_ms: 4500, speaker: 'Bob', timing: 'set' };
      expect(after).toMatchObject({ text: 'humano 3', ...placed });
      expect([reasons([after], now), isCorrected(after)]).toEqual([[null], true]);
    }
    const machines = again(translatedWhole(), now, [idOf(3)])[3]!;
    expect([machines.text, machines.end_ms, isCorrected(machines)]).toEqual(['NOBODY.', 4500, false]);
    const other = { ...before[3]!, speaker: 'Eva', end_ms: 3500 };
    expect(again([...before.slice(0, 3), other], original, null)[3]).toEqual(other);
    // The segment had the times 3000 to 3900. A person cut it, merged it with the next segment, or gave it an earlier
    // start.
    const spans = [
      [3000, 3450, 3100, 3800],
      [3450, 3900, 3800, 4500],
      [3000, 6000, 3100, 6000],
      [3000, 4000, 3100, 4500],
      [2800, 3900, 2900, 4500],
    ] as const;
    for (const [start_ms, end_ms, ...to] of spans) {
      const moved = again([...before.slice(0, 3), { ...before[3]!, start_ms, end_ms }], now, [idOf(3)])[3]!;
      expect([moved.start_ms, moved.end_ms]).toEqual(to);
    }
  });

  it('removes the translation of a deleted segment if the request names it or new speech has its time', () => {
    const before = translatedWhole();
    const [, ...left] = original.segments;
    expect(reasons(before, { ...original, segments: left })[0]).toBe('deleted');
    const without = again(byHand(0), { ...original, segments: left }, [idOf(0)]);
    expect(without.map(({ original_segment_id }) => original_segment_id)).toEqual([1, 2, 3].map(idOf));
    const other = { ...original.segments[0]!, segment_id: 'new', text: 'We are there.' };
    const after = again(before, { ...original, segments: [other, ...left] }, ['new']);
    const origins = ['new', ...[1, 2, 3].map(idOf)];
    expect(after.map(({ original_segment_id }) => original_segment_id)).toEqual(origins);
  });

  it('of all segments removes translations of deleted segments, unless a person wrote them', () => {
    const gone = { ...translatedWhole()[3]!, original_segment_id: 'gone', segment_id: 'old', start_ms: 9000 };
    const [machines] = translatedWhole({
      ...original,
      segments: [{ ...original.segments[3]!, segment_id: 'was' }],
    });
    const added = segmentOf('Hola', 9);
    const after = again([...translatedWhole(), machines!, gone, added], original, null);
    expect(after).toEqual([...translatedWhole(), gone, added]);
  });

  it('is needed only for segments whose sentence, times or speaker changed', () => {
    const whole = translatedWhole();
    expect(reasons(whole, original)).toEqual([null, null, null, null]);
    expect(reasons(whole, changed(1, { text: 'we are' }))).toEqual(['text', 'text', 'text', null]);
    expect(reasons(whole, changed(3, { speaker: 'Bob' }))).toEqual([null, null, null, 'placement']);
  });

  it('is not needed for segments that a person edited since', () => {
    const now = changed(3, { text: 'All.' });
    const confirmed = ({ segments }: Original) =>
      confirmEdited(
        translatedWhole(),
        new Set([translatedWhole()[3]!.segment_id]),
        originsOf(segments, 'en'),
      );
    const written = confirmed(now);
    expect(reasons(written, now)).toEqual([null, null, null, null]);
    expect(written.map(isCorrected)).toEqual([false, false, false, true]);
    expect(reasons(written, changed(3, { text: 'Some.' }))[3]).toBe('text');
    const gone = { ...original, segments: original.segments.slice(0, 3) };
    expect(reasons(confirmed(gone), gone)).toEqual([null, null, null, null]);
  });
});

describe('a blacklist', () => {
  it.each([
    ['es', 'Maldito, el coche es VIEJO.', 'El coche es.'],
    ['es', 'Un viejo amigo maldito!', 'Un viejo amigo!'],
    ['es', '¡Viejo!', ''],
    ['es', 'Nada de eso.', 'Nada de eso.'],
    ['zh', '这是老车。', '这是车。'],
  ])('removes its words from a translation into %s: %s', (language, sentence, left) => {
    const blacklist = ['maldito', 'viejo', 'Viejo amigo', '老'];
    expect(withoutUnwanted(blacklist, ['viejo amigo'], language)(sentence)).toBe(left);
  });
});
