/** EBU STL files for tests. */
import fc from 'fast-check';
import type { CodeTable } from '../../../../../lambdas/subtitles/rules/stl/code-tables.ts';
import type {
  Color,
  DisplayStandard,
  StlFile,
  StlHeader,
  StlRow,
  StlSpan,
  StlSubtitle,
} from '../../../../../lambdas/subtitles/rules/stl/file.ts';

export const header: StlHeader = {
  codePage: '850',
  framesPerSecond: 25,
  display: 'level1',
  codeTable: 'latin',
  language: 'es',
  originalTitle: 'Más allá',
  originalEpisode: '',
  translatedTitle: 'Más allá',
  translatedEpisode: '',
  translator: '',
  translatorContact: '',
  reference: 'cms-4711',
  created: '2026-11-21',
  revised: '2026-11-22',
  revision: 3,
  maxCharacters: 40,
  maxRows: 23,
  startFrame: 10 * 3600 * 25,
  country: 'ESP',
  publisher: '',
  editor: '',
  editorContact: '',
};

export const row = (text: string, more: Partial<StlRow> = {}): StlRow => ({
  spans: [{ text }],
  isDoubleHeight: true,
  isBoxed: true,
  ...more,
});

export const subtitle = (rows: StlRow[], more: Partial<StlSubtitle> = {}): StlSubtitle => ({
  group: 0,
  number: 0,
  cumulative: 'none',
  startFrame: header.startFrame + 25,
  endFrame: header.startFrame + 75,
  row: 20,
  justification: 'center',
  isComment: false,
  rows,
  ...more,
});

const lettersOf: Readonly<Record<CodeTable, string>> = {
  latin: 'aeiouñÑéÜßçőŽ¿¡$#♪—’´AZ09.,',
  cyrillic: 'абвжщЯёѓў№AZ09.,',
  arabic: 'ابتثجحخ؟،AZ09.',
  greek: 'αβγάΩώΪAZ09.,',
  hebrew: 'אבגדשתםAZ09.,',
};

/** Words with single spaces between them. */
const wordsOf = (table: CodeTable) =>
  fc
    .array(fc.string({ unit: fc.constantFrom(...lettersOf[table]), minLength: 1, maxLength: 9 }), {
      minLength: 1,
      maxLength: 5,
    })
    .map((words) => words.join(' '));

const colors: readonly Color[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * Spans of one row. In teletext, a space precedes each change of color. In open subtitles, styles begin and end
 * anywhere.
 */
function spansOf(display: DisplayStandard, table: CodeTable): fc.Arbitrary<StlSpan[]> {
  const text = wordsOf(table);
  const color = fc.constantFrom(...colors);
  if (display === 'open') {
    const looks = fc.constantFrom<Omit<StlSpan, 'text'>>(
      {},
      { isItalic: true },
      { isUnderlined: true },
      { isItalic: true, isUnderlined: true },
    );
    return fc
      .tuple(text, looks)
      .map(([words, look]) => [{ text: words, ...look }])
      .chain(([first]) =>
        fc.option(text).map((second) => {
          const isPlain = first!.isItalic === undefined && first!.isUnderlined === undefined;
          return second === null || isPlain ? [first!] : [first!, { text: ` ${second}` }];
        }),
      );
  }
  const colored = fc.oneof(
    fc.record({ text, color }),
    fc.record({ text, color, background: fc.constantFrom(...colors) }),
  );
  return fc
    .tuple(
      fc.oneof(
        text.map((words) => ({ text: words })),
        colored,
      ),
      fc.array(colored, { maxLength: 2 }),
    )
    .map(([first, others]) => [first, ...others])
    .map((spans) =>
      spans.map((span, i) => (i < spans.length - 1 ? { ...span, text: `${span.text} ` } : span)),
    );
}

const subtitleOf = (
  display: DisplayStandard,
  table: CodeTable,
  startFrame: number,
): fc.Arbitrary<StlSubtitle> =>
  fc.record({
    group: fc.nat(255),
    number: fc.nat(65_535),
    cumulative: fc.constantFrom('none', 'first', 'intermediate', 'last'),
    startFrame: fc.constant(startFrame),
    endFrame: fc.integer({ min: startFrame + 1, max: startFrame + 500 }),
    row: fc.nat(23),
    justification: fc.constantFrom('unchanged', 'left', 'center', 'right'),
    isComment: fc.boolean(),
    rows: fc.array(
      fc.record({
        spans: spansOf(display, table),
        isDoubleHeight: display === 'open' ? fc.constant(false) : fc.boolean(),
        isBoxed: display === 'open' ? fc.constant(false) : fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  });

/** Any file that the format can carry. Its subtitles are ordered by time. */
export const anyFile: fc.Arbitrary<StlFile> = fc
  .record({
    display: fc.constantFrom('open', 'level1', 'level2'),
    codeTable: fc.constantFrom('latin', 'cyrillic', 'arabic', 'greek', 'hebrew'),
    framesPerSecond: fc.constantFrom(25, 30),
    starts: fc.array(fc.nat(2_159_999), { maxLength: 12 }),
  })
  .chain(({ starts, ...given }) => {
    const { display, codeTable } = given as { display: DisplayStandard; codeTable: CodeTable };
    const inOrder = starts.toSorted((one, other) => one - other);
    return fc.record({
      header: fc.constant({ ...header, ...given, language: '' } as StlHeader),
      subtitles: fc.tuple(...inOrder.map((start) => subtitleOf(display, codeTable, start))),
    });
  });
