import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSpans, unmask } from '../../../engines/translation/mask-text.ts';
import { translateInBatches } from '../../../engines/translation/translate-in-batches.ts';
import { translateWithMasks } from '../../../engines/translation/translate-with-masks.ts';
import { untranslatableSpans } from '../../../engines/translation/untranslatable-spans.ts';

const opaqueIn = (text: string) => untranslatableSpans(text).map(({ start, end }) => text.slice(start, end));

describe('an untranslatable part', () => {
  it.each([
    [
      'Write to ann@example.com, or see https://a.example/b?c=d.',
      ['ann@example.com', 'https://a.example/b?c=d'],
    ],
    [
      'It costs $5, 50% off #sale {first name} <i>now</i>',
      ['$5', '50%', '#sale', '{first name}', '<i>', '</i>'],
    ],
    ['[music] “Hello,” she said (twice).', ['[', ']']],
    ['Fine😀!', ['😀']],
    ["At 10:30 a.m., or 5 p.m. (O'Brien's time).", ['a.m.', 'p.m.', "O'Brien"]],
    ['At “5 p.m.”.', ['p.m.']],
    ['Plain, ordinary text: nothing else?', []],
  ])('is found in %s', (text, found) => {
    expect(opaqueIn(text)).toEqual(found);
  });

  it('is found in a word of one megabyte in less than a second', () => {
    expect(untranslatableSpans('<'.repeat(1 << 19) + 'a'.repeat(1 << 19)).length).toBeGreaterThan(0);
    expect(untranslatableSpans(`${'!'.repeat(1 << 19)}a`)).toEqual([]);
  });
});

describe('a mask', () => {
  it('can replace any part of any text, and is restored exactly', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.array(fc.nat(59), { maxLength: 8 }),
        (text, cuts) => {
          const at = [...new Set(cuts.filter((cut) => cut <= text.length))].sort((a, b) => a - b);
          const spans = at.flatMap((start, i) =>
            i % 2 === 0 && at[i + 1] ? [{ start, end: at[i + 1]! }] : [],
          );
          const made = maskSpans(text, spans);
          expect(unmask(made.text, made)).toBe(text);
        },
      ),
    );
  });

  it('next to another mask leaves no space between the restored parts', () => {
    const text = 'Call %{name}{id} now';
    const made = maskSpans(text, untranslatableSpans(text));
    // An engine returns the words with spaces between them.
    expect(unmask(made.text.replace('Call', 'Llama a').replace('now', 'ya'), made)).toBe(
      'Llama a %{name}{id} ya',
    );
  });

  it('is a word that does not occur in the text', () => {
    const made = maskSpans('Qzxaz is a name, and Xqj', [{ start: 0, end: 5 }]);
    expect(made.text).toBe('Zqkaz is a name, and Xqj');
  });

  it('is detected if it is missing, repeated or invented', () => {
    const made = maskSpans('Ann met Bob', [
      { start: 0, end: 3 },
      { start: 8, end: 11 },
    ]);
    const [ann, bob] = made.text.split(' met ');
    expect(unmask(`${bob} y ${ann}`, made)).toBe('Bob y Ann');
    for (const bad of [`${ann}`, `${ann} ${ann} ${bob}`, `${ann} ${bob} Qzxfz`])
      expect(unmask(bad, made)).toBeNull();
  });
});

describe('a masked part that an engine loses', () => {
  it('is restored by splitting the sentence', async () => {
    const forgetful = async (texts: readonly string[]) =>
      texts.map((text) => text.replace(/Qzx\w+/g, '').toUpperCase());
    expect(
      await translateWithMasks(['say {name} twice', 'plain'], { spans: untranslatableSpans }, forgetful),
    ).toEqual(['SAY {name} TWICE', 'PLAIN']);
  });
});

describe('batches of sentences', () => {
  const batching = { max_bytes: 100, separator: '\n' };

  it('are sent again in halves if the answer has a different number of sentences', async () => {
    const asked: string[] = [];
    const joining = async (text: string) => {
      asked.push(text);
      return text.replace('b\nc', 'b c');
    };
    expect(await translateInBatches(['a', 'b', 'c', 'd'], batching, joining)).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['a\nb\nc\nd', 'a\nb', 'c\nd']);
  });

  it('stay within the limit of the engine; a longer sentence is split at spaces', async () => {
    const sizes: number[] = [];
    const echo = async (text: string) => {
      sizes.push(Buffer.byteLength(text));
      return text;
    };
    const long = Array.from({ length: 60 }, (_, at) => `wörd${at}`).join(' ');
    const texts = ['short', long, 'ä'.repeat(120), '42', ''];
    const answers = await translateInBatches(texts, batching, echo);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(answers.map((answer) => answer.replaceAll(' ', ''))).toEqual(
      texts.map((text) => text.replaceAll(' ', '')),
    );
    expect(answers[1]).toBe(long);
  });

  it('stay unchanged if the engine returns nothing', async () => {
    expect(await translateInBatches(['one', 'two'], batching, async () => ' ')).toEqual(['one', 'two']);
  });
});
