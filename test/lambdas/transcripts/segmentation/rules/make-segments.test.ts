import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../../../lambdas/subtitles/rules/script.ts';
import { cleanText } from '../../../../../lambdas/subtitles/rules/text.ts';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Word } from '../../../../../shared/segments.ts';
import { forAny } from '../../../../support/for-any.ts';
import { anyWords, countingIds, letters, spoken } from '../../../subtitles/speech.ts';

function segmentsOf(words: Word[], language = 'en') {
  return segmentsFromWords(words, { newId: countingIds(), language });
}

function textsOf(words: Word[], language?: string): string[] {
  return segmentsOf(words, language).map(({ text }) => text);
}

describe('a segment', () => {
  it('ends at the end of a sentence', () => {
    expect(textsOf(spoken('Who is it? It is I! Come in… “Thank you.” She sat down.'))).toEqual([
      'Who is it?',
      'It is I!',
      'Come in…',
      '“Thank you.”',
      'She sat down.',
    ]);
  });

  it.each([
    ['en', 'Good evening, Dr. Smith and Mrs. Jones.'],
    ['en', 'The rate rose by 3.5 percent, e.g. in Texas.'],
    ['en', 'The U.S. Army and J. R. R. Tolkien met at 5 p.m. yesterday.'],
    ['en', 'Buy it at Yahoo! today.'],
    ['de', 'Am 3. Oktober kam Hr. Maier z.B. mit dem Zug.'],
    ['es', 'La Sra. García vive en EE.UU. con su hijo.'],
    ['fr', 'M. Dupont et Mme. Durand sont là.'],
    ['it', 'Il Sig. Rossi e il Dott. Bianchi sono qui.'],
    ['pt', 'A Sra. Silva e o Dr. Costa chegaram.'],
    ['xx', 'We met Dr. Smith, i.e. nobody.'],
  ])('does not end at the full stop of an abbreviation, initial or number (%s: %s)', (language, sentence) => {
    expect(textsOf(spoken(sentence), language)).toEqual([sentence]);
  });

  it('ends at an abbreviation if a new sentence clearly starts', () => {
    expect(textsOf(spoken('They moved to the U.S. They liked it.'))).toHaveLength(2);
    expect(textsOf(spoken('He works at Acme Inc.|300 Nobody knows why.'))).toHaveLength(2);
  });

  it('ends at a change of speaker, even within a sentence', () => {
    const words = [
      ...spoken('I thought', { speaker: 'spk_0' }),
      ...spoken('you did', { at: 600, speaker: 'spk_1' }),
    ];
    const segments = segmentsOf(words);
    expect(segments.map(({ text, speaker }) => [speaker, text])).toEqual([
      ['spk_0', 'I thought'],
      ['spk_1', 'you did'],
    ]);
  });

  it('ends at every pause of 700 ms, and at no shorter pause if the segment is short', () => {
    expect(textsOf(spoken('Well, maybe|680 not'))).toEqual(['Well, maybe', 'not']);
    expect(textsOf(spoken('Well,|100 maybe|200 not'))).toEqual(['Well, maybe not']);
  });

  it('ends at a shorter pause if the segment is already long', () => {
    const words =
      'i have been thinking about this for a very long time|380 there is nothing left to say about it';
    expect(textsOf(spoken(words))).toEqual([
      'I have been thinking about this for a very long time.',
      'There is nothing left to say about it.',
    ]);
  });

  it('ends before a conjunction or preposition, or after a comma, if the sentence is long', () => {
    const sentence =
      'However, the committee that was appointed by the president to look into the matter has not yet published its report, and nobody seems to know when it will.';
    const texts = textsOf(spoken(sentence));
    expect(texts.join(' ')).toBe(sentence);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts.slice(1)) expect(text).toMatch(/^(and|that|by|into|has|to) /);
  });
});

describe('a new segment', () => {
  it('has new ids, no original and no speaker resource', () => {
    const [segment] = segmentsOf(spoken('Hello there.'));
    expect(segment).toMatchObject({
      segment_id: 'segment-1',
      original_segment_id: null,
      speaker: null,
      speaker_id: null,
    });
  });

  it('has a confidence that is weighted by the duration of the words', () => {
    const words = [
      { text: 'long', start_ms: 0, end_ms: 900, confidence: 1 },
      { text: 'short', start_ms: 900, end_ms: 1000, confidence: 0 },
      { text: 'unrated', start_ms: 1000, end_ms: 2000, confidence: Number.NaN },
    ];
    expect(segmentsOf(words)[0]!.confidence).toBe(0.9);
    expect(segmentsOf([words[2]!])[0]!.confidence).toBeNull();
  });

  it('starts each overlapping word after the earlier one ends', () => {
    const words = [
      { text: 'one', start_ms: 0, end_ms: 500, confidence: 1, speaker: 'a' },
      { text: 'two', start_ms: 450, end_ms: 900, confidence: 1, speaker: 'b' },
    ];
    expect(segmentsOf(words).map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 450],
      [450, 900],
    ]);
  });

  it('has corrected times if the engine returns unusable ones', () => {
    const words = [
      { text: 'a', start_ms: -5, end_ms: Number.NaN, confidence: 1 },
      { text: 'b', start_ms: Number.NaN, end_ms: 20.4, confidence: 1 },
      { text: 'c', start_ms: 10, end_ms: 4, confidence: 1 },
    ];
    expect(segmentsOf(words)[0]!.words.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 1],
      [1, 10],
      [10, 11],
    ]);
  });

  it('keeps the case if the engine writes capital letters, or a number comes first', () => {
    expect(textsOf(spoken('iPhone sales fell. eBay too, says Ana.'))[0]).toBe(
      'iPhone sales fell. eBay too, says Ana.',
    );
    expect(textsOf(spoken('3 apples'))).toEqual(['3 apples.']);
    expect(textsOf(spoken('გამარჯობა მეგობარო'), 'ka')).toEqual(['გამარჯობა მეგობარო']);
  });

  it('has Chinese, Japanese and Thai words without spaces, and Korean words with spaces', () => {
    expect(textsOf(spoken('字幕 を AI で 作り ます 。'), 'ja')).toEqual(['字幕をAIで作ります。']);
    expect(textsOf(spoken('สวัสดี ครับ Kinora'), 'th')).toEqual(['สวัสดีครับ Kinora']);
    expect(textsOf(spoken('자막을 만듭니다'), 'ko')).toEqual(['자막을 만듭니다']);
  });

  it('has no space before punctuation that the engine returns as separate words', () => {
    expect(textsOf(spoken('Hello , Ana . Come'))).toEqual(['Hello, Ana.', 'Come']);
  });
});

describe('the segments of any words', () => {
  it('contain every word that is not blank, once and in order', () => {
    forAny([anyWords], (words) => {
      const kept = segmentsOf(words).flatMap((segment) => segment.words.map(({ text }) => text));
      expect(kept).toEqual(words.map(({ text }) => cleanText(text)).filter((text) => text !== ''));
    });
  });

  it('have exactly the words in the text, with at most one mark after them', () => {
    forAny([anyWords], (words) => {
      for (const { text, words: its } of segmentsOf(words)) {
        // The comparison uses capital letters, because some small letters share one capital (ı and i, ſ and s).
        const heard = letters(its.map((word) => word.text).join('')).toUpperCase();
        expect([heard, `${heard}.`, `${heard}?`]).toContain(letters(text).toUpperCase());
      }
    });
  });

  it('have one speaker and the time from the first to the last word, without overlap', () => {
    forAny([anyWords], (words) => {
      let free = 0;
      for (const { start_ms, end_ms, words: its, speaker } of segmentsOf(words)) {
        expect([start_ms, end_ms]).toEqual([its[0]!.start_ms, its.at(-1)!.end_ms]);
        expect(its.every((word) => word.speaker === speaker)).toBe(true);
        expect(start_ms).toBeGreaterThanOrEqual(free);
        expect(Number.isInteger(start_ms) && Number.isInteger(end_ms) && end_ms > start_ms).toBe(true);
        free = end_ms;
      }
    });
  });

  it('are limited to 7 s and 84 columns, except single words', () => {
    forAny([anyWords], (words) => {
      for (const { start_ms, end_ms, words: its, text } of segmentsOf(words)) {
        if (its.length === 1) continue;
        expect(end_ms - start_ms).toBeLessThanOrEqual(7000);
        expect(displayWidth(text)).toBeLessThanOrEqual(84);
      }
    });
  });
});
