import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlap } from '../../../../lambdas/subtitles/rules/cue.ts';
import { cuesFromSegments } from '../../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../../lambdas/subtitles/rules/script.ts';
import { atomsOf, cleanText, joinAtoms } from '../../../../lambdas/subtitles/rules/text.ts';
import { segmentsFromWords } from '../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import { forAny } from '../../../support/for-any.ts';
import { anyNumber, anyText, anyWords, countingIds, segment, spoken } from '../speech.ts';

function linesOf(text: string, language: string): string[][] {
  return cuesFromSegments([segment(text, 0, 60 * text.length)], { language }).map(({ lines }) => lines);
}

describe('the lines of a cue', () => {
  it('stay one line if the text fits 42 columns', () => {
    expect(linesOf('Forty-two columns are exactly as many here', 'en')).toEqual([
      ['Forty-two columns are exactly as many here'],
    ]);
  });

  it.each([
    ['en', 'She went to the market / because there was no bread left'],
    ['en', 'We have been waiting for them / since the early morning'],
    ['en', 'When you arrive, / call the number on the back of it'],
    ['es', 'Nadie parece saber cuándo lo hará / ni por qué tarda tanto'],
    ['fr', 'Il est parti très tôt ce matin / parce qu’il avait du travail'],
    ['de', 'Ich habe lange auf dich gewartet, / weil der Zug nicht kam'],
    ['it', 'Siamo andati al mercato / perché non c’era più pane in casa'],
    ['pt', 'Fomos ao mercado bem cedo / porque não havia pão em casa'],
  ])('are broken before conjunctions and prepositions and after punctuation (%s: %s)', (language, lines) => {
    expect(linesOf(lines.replace(' / ', ' '), language)).toEqual([lines.split(' / ')]);
  });

  it('are balanced in an unknown language, preferably with the longer line below', () => {
    const [[above, below] = []] = linesOf('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj', 'xx');
    expect([above, below]).toEqual(['aaaa bbbb cccc dddd eeee', 'ffff gggg hhhh iiii jjjj']);
    const [[short, long] = []] = linesOf('aaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee', 'xx');
    expect(short!.length).toBeLessThanOrEqual(long!.length);
  });

  it('have at most 16 full-width characters and start with no closing mark', () => {
    const text = 'このビデオでは、字幕がどのように作られるかを、できるだけ分かりやすく説明します。';
    for (const lines of linesOf(text, 'ja')) {
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) {
        expect([...line].length).toBeLessThanOrEqual(16);
        expect(line).not.toMatch(/^[、。」ょっー]/);
      }
    }
  });

  it('mark the direction if the text starts with the other script, and close embeddings at a break', () => {
    const [lines = []] = linesOf('הסרטון הזה מסביר איך עובדות הכתוביות של HTML5 ברשת היום', 'he');
    expect(lines).toHaveLength(2);
    const [marked = []] = linesOf('HTML5 מסביר איך עובדות', 'he');
    expect(marked).toEqual(['\u200fHTML5 מסביר איך עובדות']);
    const [isolated = []] = linesOf('\u2067שלום', 'he');
    expect(isolated).toEqual(['\u2067שלום\u2069']);
  });
});

describe('the times of cues', () => {
  /** A segment with the words of a text. */
  const heard = (said: string) => {
    const words = spoken(said);
    const text = words.map((word) => word.text).join(' ');
    return segment(text, 0, words.at(-1)!.end_ms, { words });
  };

  it('divide a long segment at the times of its words', () => {
    const said = heard(
      'one two three four five six seven eight nine ten eleven twelve,|600 thirteen fourteen fifteen sixteen seventeen eighteen',
    );
    const cues = cuesFromSegments([said]);
    const thirteen = said.words.find((word) => word.text === 'thirteen')!;
    expect(cues[1]).toMatchObject({
      start_ms: thirteen.start_ms,
      lines: ['thirteen fourteen fifteen', 'sixteen seventeen eighteen'],
    });
  });

  it('divide it in proportion to the letters if there are no words', () => {
    const half = 'aaaa bbbb cccc dddd eeee ffff gggg hhhh, iiii jjjj kkkk llll mmmm.';
    const cues = cuesFromSegments([segment(`${half} ${half}`, 0, 10_000)]);
    expect(cues.map(({ start_ms }) => start_ms)).toEqual([0, 5000]);
  });

  it('move with their segment', () => {
    const said = heard(
      'aaaa bbbb cccc dddd eeee ffff gggg hhhh, iiii jjjj kkkk llll mmmm. nnnn oooo pppp qqqq rrrr ssss',
    );
    const starts = (by: number) =>
      cuesFromSegments([{ ...said, start_ms: by, end_ms: said.end_ms + by }]).map(
        ({ start_ms }) => start_ms - by,
      );
    expect(starts(60_000)).toEqual(starts(0));
  });

  it('are long enough to read at 17 columns a second if silence follows', () => {
    const [cue] = cuesFromSegments([segment('Thirty-four columns, quickly said.', 1000, 1500)]);
    expect(cue).toMatchObject({ start_ms: 1000, end_ms: 3000 });
  });

  it('start up to 240 ms early, in the silence before, if other speech follows too soon', () => {
    const cues = cuesFromSegments([
      segment('Short and quickly said.', 5000, 5600, { speaker: 'a' }),
      segment('Then the other one speaks.', 5900, 8000, { speaker: 'b' }),
    ]);
    expect(cues[0]).toMatchObject({ start_ms: 4760, end_ms: 5910 });
  });

  it('leave two frames between cues and close gaps that would flicker', () => {
    const cues = cuesFromSegments([
      segment('The first one is said here.', 0, 2000),
      segment('The second one follows at once.', 2000, 4000),
      segment('The third one after a flicker.', 4300, 6300),
    ]);
    expect(cues.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 1920],
      [2000, 4220],
      [4300, 6300],
    ]);
  });

  it('are divided at a pause of 250 ms, if the first part is readable and the words do not belong together', () => {
    const shown = (text: string) =>
      cuesFromSegments([heard(text)], { language: 'en' }).map(({ lines }) => lines.join(' '));
    expect(shown('the boat left yesterday|300 nobody waited there long')).toEqual([
      'the boat left yesterday',
      'nobody waited there long',
    ]);
    expect(shown('the boat left yesterday|150 nobody waited there long')).toHaveLength(1);
    expect(shown('yesterday the boat left the|300 harbour of the village')).toHaveLength(1);
    expect(shown('well|300 nobody waited there long')).toHaveLength(1);
  });

  it('cover several parts of a sentence if each would be too short to read', () => {
    const said = heard('Yes,|400 I know it, and so do all of those who came to see it here today.');
    const [first] = cuesFromSegments([said], { language: 'en' });
    expect(first!.lines.join(' ')).toContain('Yes, I know it,');
  });

  it('do not exist for a blank segment', () => {
    expect(cuesFromSegments([segment(' \n', 0, 1000)])).toEqual([]);
  });
});

describe('sound descriptions', () => {
  const speech = [segment('Nobody expected this to happen here.', 5000, 8000)];
  const soundAt = (start_ms: number, end_ms: number) =>
    cuesFromSegments(speech, { soundDescriptions: [{ start_ms, end_ms, text: 'applause' }] }).find(
      ({ lines }) => lines[0]!.startsWith('['),
    );

  it('are at the bottom during silence', () => {
    const lines = ['[applause]'];
    expect(soundAt(1000, 3000)).toEqual({ start_ms: 1000, end_ms: 3000, lines, speaker: null });
  });

  it('are at the top while someone speaks', () => {
    expect(soundAt(5500, 7000)).toMatchObject({ start_ms: 5500, end_ms: 7000, position: 'top' });
  });

  it('end before speech that starts after they were visible long enough', () => {
    expect(soundAt(3000, 7000)).toMatchObject({ start_ms: 3000, end_ms: 4920 });
    expect(soundAt(3000, 7000)).not.toHaveProperty('position');
  });

  it('have only one pair of brackets', () => {
    const texts = ['[door slams]', '(laughs)', ' music ', ' ', '[]'];
    const soundDescriptions = texts.map((text, i) => {
      return { start_ms: i * 10_000, end_ms: i * 10_000 + 1000, text };
    });
    const cues = cuesFromSegments([], { soundDescriptions });
    expect(cues.map(({ lines }) => lines[0])).toEqual(['[door slams]', '[laughs]', '[music]']);
  });
});

const anySegments = fc.array(
  fc
    .tuple(anyText, anyNumber, anyNumber, fc.constantFrom(null, 'a', 'b'), anyWords)
    .map(([text, start, end, speaker, words]) => segment(text, start, end, { speaker, words })),
  { maxLength: 12 },
);
const anySounds = fc.array(fc.record({ start_ms: anyNumber, end_ms: anyNumber, text: anyText }), {
  maxLength: 5,
});

describe('cues of any segments and sounds', () => {
  const anyCues = fc
    .tuple(
      fc.oneof(
        anySegments,
        anyWords.map((words) => segmentsFromWords(words, { newId: countingIds() })),
      ),
      anySounds,
      fc.constantFrom(undefined, 'en', 'ja', 'ar'),
    )
    .map(([segments, soundDescriptions, language]) => ({
      segments,
      cues: cuesFromSegments(segments, { soundDescriptions, ...(language && { language }) }),
    }));

  it('do not overlap in one position, with a gap of at least 80 ms between cues of speech', () => {
    forAny([anySegments], (segments) => {
      const cues = cuesFromSegments(segments);
      cues.slice(1).forEach((cue, i) => {
        expect(cue.start_ms - cues[i]!.end_ms).toBeGreaterThanOrEqual(80);
      });
    });
    forAny([anyCues], ({ cues }) => {
      for (const one of cues) {
        const clashing = cues.filter((it) => it !== one && it.position === one.position && overlap(it, one));
        expect(clashing).toEqual([]);
      }
    });
  });

  it('are in order, in whole milliseconds, and last from 5/6 s to 7 s', () => {
    forAny([anyCues], ({ cues }) => {
      let last = 0;
      for (const { start_ms, end_ms } of cues) {
        expect(start_ms).toBeGreaterThanOrEqual(last);
        expect(Number.isInteger(start_ms) && Number.isInteger(end_ms)).toBe(true);
        expect(end_ms - start_ms).toBeGreaterThanOrEqual(834);
        expect(end_ms - start_ms).toBeLessThanOrEqual(7000);
        last = start_ms;
      }
    });
  });

  it('have one or two lines, and lines above 42 columns are broken if possible', () => {
    forAny([anyCues], ({ cues }) => {
      for (const { lines } of cues.filter((cue) => !cue.lines[0]!.startsWith('['))) {
        expect([1, 2]).toContain(lines.length);
        for (const line of lines) {
          if (displayWidth(line) > 42) expect(atomsOf(line).some(({ width }) => width > 40)).toBe(true);
        }
      }
    });
  });

  it('show a text that is the same after cutting and joining', () => {
    forAny([anyText], (text) => {
      expect(joinAtoms(atomsOf(text))).toBe(cleanText(text));
    });
  });
});
