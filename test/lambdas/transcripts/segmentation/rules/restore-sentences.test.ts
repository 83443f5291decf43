/** Restores the sentences of an engine that writes neither capital letters nor punctuation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import { wordsOfText } from '../../../../../lambdas/transcripts/segments/rules/fit-words.ts';
import type { Word } from '../../../../../shared/segments.ts';
import { forAny } from '../../../../support/for-any.ts';
import { countingIds, spoken } from '../../../subtitles/speech.ts';

const segmentsOf = (words: Word[], language = 'en') =>
  segmentsFromWords(words, { newId: countingIds(), language });
const textsOf = (text: string, language?: string) => segmentsOf(spoken(text), language).map((it) => it.text);

describe('the sentences of English without punctuation', () => {
  it('end at pauses if the grammar allows it, with a full stop, and start with a capital', () => {
    expect(
      textsOf(
        'last week we talked about stone|350 today we are going to talk about iron|400 stone is strong',
      ),
    ).toEqual([
      'Last week we talked about stone.',
      'Today we are going to talk about iron.',
      'Stone is strong.',
    ]);
  });

  it.each([
    ['an article', 'we were looking at the|900 old bridge'],
    ['a preposition', 'then i went to|900 the house'],
    ['a preposition before a name', 'then i went to|900 london'],
    ['a conjunction', 'it was cold and|900 nobody came'],
    ['an auxiliary', 'the house was|900 a little too small'],
    ['a subject', 'after that we|900 moved to another town'],
    ['a possessive', 'he showed us his|900 new garden'],
    ['a clause that needs a second clause', 'when the shop closes early|300 we stay at home'],
    ['words without a verb', 'in the beginning|300 many of them fell down'],
  ])('do not end after %s, at any pause', (_, said) => {
    const texts = textsOf(said);
    expect(texts.join(' ')).toBe(
      `${said[0]!.toUpperCase()}${said.slice(1).replace(/\|\d+/, '')}.`
        .replace(/\bi\b/, 'I')
        .replace('london', 'London'),
    );
  });

  it('always end at a silence of three seconds, without a mark if they are incomplete', () => {
    expect(textsOf('then i went to the|50000 we are back')).toEqual(['Then I went to the', 'We are back.']);
  });

  it('do not end at a false start or between the numbers of a list', () => {
    expect(textsOf('and then the|300 the|250 the wall fell down')).toEqual([
      'And then the the the wall fell down.',
    ]);
    expect(textsOf('the numbers are one|250 two|250 three|250 four')).toEqual([
      'The numbers are one two three four.',
    ]);
  });

  it('can be a single word', () => {
    expect(textsOf('are there any questions so far|400 no|400 then let us go on')).toEqual([
      'Are there any questions so far?',
      'No.',
      'Then let us go on.',
    ]);
  });

  it('are divided without a pause only if a sentence clearly starts there', () => {
    const said = 'we want to build a wall because the wind comes from the sea';
    expect(textsOf(said).join(' ')).toBe(`${said[0]!.toUpperCase()}${said.slice(1)}.`);
  });
});

describe('the segments of English without punctuation', () => {
  it('end at every pause of 350 ms, and at no shorter pause in a short sentence', () => {
    expect(textsOf('we were looking at the|360 old bridge')).toEqual([
      'We were looking at the',
      'old bridge.',
    ]);
    expect(textsOf('we were looking at the|300 old bridge')).toEqual(['We were looking at the old bridge.']);
  });
});

describe('a question mark', () => {
  it.each([
    'why did people stop building with stone',
    'what would the builders have thought of that',
    'how many wires do you think there are',
    'how many people will come',
    "where's the station",
    'do you know what they found',
    'can you imagine standing on it',
    'is that not a wonderful story',
    'and what are you looking for',
    "you knew that didn't you",
  ])('ends a certain question: %s', (said) => {
    expect(textsOf(said).join(' ')).toMatch(/\?$/);
  });

  it.each([
    'what i like is the sea',
    'what she did the other day was wrong',
    'when we came it was raining',
    'who dares wins',
    'how we build matters',
    'had i known that we would have stayed',
    'should you need help call the office',
    'do the right thing',
    'i wonder what it is',
    'that is why cables are so safe',
  ])('does not end a statement: %s', (said) => {
    expect(textsOf(said).join(' ')).toMatch(/\.$/);
  });
});

describe('capital letters', () => {
  it('are written if they are certain', () => {
    expect(textsOf("on monday i'm in london with mr. green and in may we leave the u.s. for france")).toEqual(
      ["On Monday I'm in London with Mr. Green and in May we leave the U.S. for France."],
    );
  });

  it('are not written in words with other meanings', () => {
    expect(textsOf('we may march and polish the brown table')[0]).toBe(
      'We may march and polish the brown table.',
    );
  });
});

describe('these stay unchanged:', () => {
  it.each([
    ['case', 'So we went to London|900 and back'],
    ['punctuation', 'so we went, to london|900 and back'],
    ['both', 'So we went, to London.|900 And back'],
  ])('the punctuation of an engine that returns %s', (_, said) => {
    expect(textsOf(said).join(' ').toLowerCase()).toBe(said.replace(/\|\d+/, '').toLowerCase());
  });

  it('the punctuation of every other language', () => {
    expect(textsOf('wir gehen nach hause|900 und dann', 'de')).toEqual(['Wir gehen nach hause', 'Und dann']);
  });

  it('the words and their times', () => {
    const words = spoken("so i think i'm right|400 do you know that");
    expect(segmentsOf(words).flatMap((segment) => segment.words)).toEqual(words);
  });

  it('the times of words if a person edits one of them in the restored text', () => {
    const [segment] = segmentsOf(spoken('last week we talked about stone'));
    const edited = wordsOfText(segment!.words, segment!.text.replace('stone', 'iron'));
    expect(edited.map(({ text }) => text)).toEqual(['Last', 'week', 'we', 'talked', 'about', 'iron.']);
    expect(edited.map(({ start_ms }) => start_ms)).toEqual(segment!.words.map(({ start_ms }) => start_ms));
  });
});

describe('with any voices and pauses,', () => {
  it('a sentence has one voice, and starts with a capital after each full stop', () => {
    const vocabulary = 'we the went to house and is it a lovely day because yes no where are you'.split(' ');
    const anyTalk = fc.array(
      fc.record({
        text: fc.constantFrom(...vocabulary),
        wait: fc.oneof(fc.constant(10), fc.integer({ min: 0, max: 4000 })),
        speaker: fc.constantFrom('a', 'a', 'a', 'b'),
      }),
      { minLength: 1, maxLength: 40 },
    );
    forAny([anyTalk], (heard) => {
      let now = 0;
      const words = heard.map(({ text, wait, speaker }) => {
        const start_ms = now + wait;
        now = start_ms + 200;
        return { text, start_ms, end_ms: now, confidence: 1, speaker };
      });
      const segments = segmentsOf(words);
      segments.forEach((segment, i) => {
        const before = segments[i - 1];
        expect(segment.text.slice(0, -1)).not.toMatch(/[.?]/);
        const isNew = before === undefined || before.speaker !== segment.speaker || /[.?]$/.test(before.text);
        if (isNew) expect(segment.text[0]).toMatch(/[A-Z]/);
      });
    });
  });
});
