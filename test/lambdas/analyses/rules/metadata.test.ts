import { describe, expect, it } from 'vitest';
import { byTime } from '../../../../lambdas/analyses/rules/analysis-types.ts';
import { chaptersOf } from '../../../../lambdas/analyses/rules/chapters.ts';
import { classificationsOf, codesOf } from '../../../../lambdas/analyses/rules/classification.ts';
import { genres } from '../../../../lambdas/analyses/rules/genres.ts';
import { metadataOf, onlyTexts, passagesOf } from '../../../../lambdas/analyses/rules/metadata.ts';
import { sentencesOf } from '../../../../lambdas/analyses/rules/sentences.ts';
import { summaryOf, titleOf } from '../../../../lambdas/analyses/rules/summary.ts';
import { talks } from './talks.ts';

const SENTENCE_MS = 5000;

const segmentsOf = (texts: readonly string[], from_ms = 0) =>
  texts.map((text, at) => ({
    text,
    start_ms: from_ms + at * SENTENCE_MS,
    end_ms: from_ms + (at + 1) * SENTENCE_MS - 300,
    words: [],
  }));

const context = (duration_ms: number) => ({ duration_ms, cuts: [], untitled: 'Chapter #' });

describe('sentences', () => {
  it('join segments until one ends with a full stop', () => {
    const sentences = sentencesOf(segmentsOf(['The house', 'is red.', 'Who', 'lives there?']), 'en');
    expect(sentences.map(({ text }) => text)).toEqual(['The house is red.', 'Who lives there?']);
    expect(sentences.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 9700],
      [10_000, 19_700],
    ]);
  });

  it('are single segments if the engine writes no punctuation', () => {
    expect(sentencesOf(segmentsOf(['the house', 'is red']), 'en')).toHaveLength(2);
  });
});

describe('title and summary', () => {
  it.each(Object.entries(talks))(
    'of a talk on %s consist of its own sentences, in order',
    (_, { language, texts }) => {
      const sentences = sentencesOf(segmentsOf(texts), language);
      const summary = summaryOf(sentences)!;
      const places = texts.map((text) => summary.indexOf(text)).filter((place) => place >= 0);
      expect(places.length).toBeGreaterThanOrEqual(2);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(summary.length).toBeLessThanOrEqual(480);
      const title = titleOf(sentences, [])!;
      expect(texts.some((text) => text.startsWith(title))).toBe(true);
      expect(title.length).toBeLessThanOrEqual(90);
    },
  );

  it('are null if no sentence has enough content', () => {
    const sentences = sentencesOf(segmentsOf(['Yes.', 'And so on.', 'Well, that is it.']), 'en');
    expect([summaryOf(sentences), titleOf(sentences, [])]).toEqual([null, null]);
  });
});

describe('genres', () => {
  it.each(Object.entries(talks))('of a talk on %s are found by its words', (_, { language, texts, code }) => {
    const [first] = classificationsOf(sentencesOf(segmentsOf(texts), language), language);
    expect(first).toMatchObject({ scheme: 'EBU ContentCS', code, confidence: null });
  });

  it('are empty for a text without a topic, and for a language without a word list', () => {
    const small = ['We met yesterday and walked home together.', 'My sister asked me about the weekend.'];
    expect(classificationsOf(sentencesOf(segmentsOf(small), 'en'), 'en')).toEqual([]);
    const { texts } = talks.cookery!;
    expect(classificationsOf(sentencesOf(segmentsOf(texts), 'de'), 'de')).toEqual([]);
  });

  it('have codes of the standard, each once, with words in both languages', () => {
    for (const [code, { en, es }] of Object.entries(genres)) {
      expect(code).toMatch(/^3\.\d{1,2}(?:\.\d{1,2}){1,2}$/);
      for (const list of [en, es]) {
        const entries = list.split(', ');
        expect(new Set(entries).size, `${code}: ${entries}`).toBe(entries.length);
        expect(list).toBe(list.normalize('NFC').toLowerCase());
      }
    }
  });

  it('are found by the codes of their parent genres', () => {
    expect(codesOf('3.1.6.8')).toEqual(['3.1', '3.1.6', '3.1.6.8']);
  });
});

describe('chapters', () => {
  it('start within two sentences of a new topic, and cover the whole talk', () => {
    const order = ['cookery', 'space', 'football', 'medicine'];
    const texts = order.flatMap((name) => [...talks[name]!.texts, ...talks[name]!.texts.toReversed()]);
    const duration_ms = texts.length * SENTENCE_MS;
    const chapters = chaptersOf(sentencesOf(segmentsOf(texts), 'en'), context(duration_ms));
    expect(chapters).toEqual(byTime(chapters));
    expect([chapters[0]!.start_ms, chapters.at(-1)!.end_ms]).toEqual([0, duration_ms]);
    for (const [at, { start_ms }] of chapters.entries())
      if (at > 0) expect(start_ms).toBe(chapters[at - 1]!.end_ms);
    const truth = order.map((_, at) =>
      order.slice(0, at).reduce((sum, name) => sum + 2 * talks[name]!.texts.length * SENTENCE_MS, 0),
    );
    const starts = chapters.map(({ start_ms }) => start_ms);
    expect(starts).toHaveLength(truth.length);
    for (const [at, start] of starts.entries())
      expect(Math.abs(start - truth[at]!)).toBeLessThanOrEqual(2 * SENTENCE_MS);
    for (const { title } of chapters) expect(title).toMatch(/^\p{Lu}/u);
  });

  it('are one for a short talk, and none without speech', () => {
    const short = sentencesOf(segmentsOf(talks.cookery!.texts.slice(0, 4)), 'en');
    expect(chaptersOf(short, context(20_000))).toMatchObject([
      { start_ms: 0, end_ms: 20_000, summary: null },
    ]);
    expect(chaptersOf([], context(20_000))).toEqual([]);
  });
});

describe('metadata', () => {
  const nothing = { sentiment: null, keyPhrases: [] };
  const word = (text: string, start_ms: number) => ({
    text,
    start_ms,
    end_ms: start_ms + 300,
    confidence: 1,
  });
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const written = { text: 'ANA RUIZ, Seville', start_ms: 8000, end_ms: 9000, box, confidence: 0.9 };

  it('contains the times at which a name is said or shown, exact to the word if word times are known', () => {
    const [first, second] = segmentsOf(['I am Ana Ruiz.', 'Ana Ruiz again.']);
    const words = [word('I', 0), word('am', 400), word('Ana', 800), word('Ruiz.', 1200)];
    const given = { segments: [{ ...first!, words }, second!], texts: [written] };
    const entity = { text: 'Ana Ruiz', type: 'person' as const, confidence: null };
    const about = { language: 'en', duration_ms: 10_000, cuts: [] };
    const { details } = metadataOf(given, about, { ...nothing, entities: [entity] });
    expect(details.entities[0]!.mentions).toEqual([
      { start_ms: 800, end_ms: 1500 },
      { start_ms: 5000, end_ms: 9700 },
      { start_ms: 8000, end_ms: 9000 },
    ]);
    expect(details.texts).toEqual([written]);
  });

  it('contains only the texts in the picture if no engine supports the language', () => {
    const given = { segments: segmentsOf(['Bonjour.']), texts: [written] };
    const { head, details } = onlyTexts(given.texts);
    expect(head).toEqual({ title: null, summary: null, sentiment: null, classifications: [] });
    expect(details).toEqual({ keywords: [], entities: [], chapters: [], texts: [written] });
  });

  it('is requested from the engine only once for each repeated text', () => {
    expect(passagesOf({ segments: segmentsOf(['Hello.', ' ']), texts: [written, written] })).toEqual([
      'Hello.',
      written.text,
    ]);
  });
});
