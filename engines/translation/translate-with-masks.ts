/** Translates sentences with masks. If the engine loses a mask, the texts between the unchanged parts are translated separately. */
import { maskSpans, type Span, unmask } from './mask-text.ts';

export interface Fixed {
  readonly spans: (sentence: string) => readonly Span[];
  /** Returns the parts at which a sentence is split if a mask was lost: all parts of `spans`, and possibly more. Default: `spans`. */
  readonly apart?: (sentence: string) => readonly Span[];
  /** Returns false if the translation lacks a required part. Default: always true. */
  readonly isWhole?: (sentence: string, translation: string) => boolean;
}

type Translate = (sentences: readonly string[]) => Promise<readonly string[]>;

export async function translateWithMasks(
  sentences: readonly string[],
  { spans, apart = spans, isWhole = () => true }: Fixed,
  translate: Translate,
): Promise<string[]> {
  const masked = sentences.map((sentence) => maskSpans(sentence, spans(sentence)));
  const answers = await translate(masked.map(({ text }) => text));
  const complete = masked.map((mask, at) => {
    const found = unmask(answers[at] ?? '', mask);
    return found !== null && isWhole(sentences[at] ?? '', found) ? found : null;
  });
  const incomplete = sentences.filter((_, at) => complete[at] === null);
  if (incomplete.length === 0) return complete.map(String);
  const split = incomplete.map((sentence) => splitAtSpans(sentence, apart(sentence)));
  const between = (await translate(split.flatMap(({ texts }) => texts))).values();
  const repaired = split
    .map(({ texts, kept }) =>
      texts.map((text, at) => withSpacesOf(text, between.next().value ?? '') + (kept[at] ?? '')).join(''),
    )
    .values();
  return complete.map((sentence) => sentence ?? repaired.next().value ?? '');
}

/** Splits a sentence. `texts`: the texts before, between and after the spans. `kept`: the texts of the spans. */
function splitAtSpans(sentence: string, spans: readonly Span[]): { texts: string[]; kept: string[] } {
  const texts = [...spans, null].map((span, at) =>
    sentence.slice(spans[at - 1]?.end ?? 0, span?.start ?? sentence.length),
  );
  return { texts, kept: spans.map(({ start, end }) => sentence.slice(start, end)) };
}

function withSpacesOf(text: string, translation: string): string {
  if (text.trim() === '') return text;
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [after = ''] = /\s*$/.exec(text) ?? [];
  return `${before}${translation.trim()}${after}`;
}
