/**
 * Translates sentences of which parts must not change. They are masked first; where an engine loses a mask, or what else has
 * to be there, what stands between the parts is translated alone: a worse sentence, from which nothing is missing.
 */
import { masked, type Span, unmasked } from './mask-text.ts';

export interface Keeping {
  /** What an engine is given masks for: in order, without overlap. */
  readonly spans: (sentence: string) => readonly Span[];
  /** What stays as it is when a sentence is taken apart: these spans, or more of them. */
  readonly apart?: (sentence: string) => readonly Span[];
  /** Whether a translation has all that it must have; true when absent. */
  readonly isWhole?: (sentence: string, translation: string) => boolean;
}

type Translate = (sentences: readonly string[]) => Promise<readonly string[]>;

export async function translatedKeeping(
  sentences: readonly string[],
  { spans, apart = spans, isWhole = () => true }: Keeping,
  translate: Translate,
): Promise<string[]> {
  const masks = sentences.map((sentence) => masked(sentence, spans(sentence)));
  const answers = await translate(masks.map(({ text }) => text));
  const whole = sentences.map((sentence, at) => {
    const found = unmasked(answers[at] ?? '', masks[at]!);
    return found !== null && isWhole(sentence, found) ? found : null;
  });
  const lost = sentences.flatMap((sentence, at) => (whole[at] === null ? [{ sentence, at }] : []));
  if (lost.length === 0) return whole as string[];
  const taken = lost.map(({ sentence }) => takenApart(sentence, apart(sentence)));
  const between = await translate(taken.flatMap(({ texts }) => texts));
  let next = 0;
  for (const [nth, { texts, kept }] of taken.entries()) {
    const own = between.slice(next, next + texts.length);
    next += texts.length;
    whole[lost[nth]!.at] = texts.map((text, at) => edged(text, own[at] ?? '') + (kept[at] ?? '')).join('');
  }
  return whole as string[];
}

/** What stands before, between and after the spans, and what they hold. */
function takenApart(sentence: string, spans: readonly Span[]): { texts: string[]; kept: string[] } {
  const texts = [...spans, null].map((span, at) =>
    sentence.slice(spans[at - 1]?.end ?? 0, span?.start ?? sentence.length),
  );
  return { texts, kept: spans.map(({ start, end }) => sentence.slice(start, end)) };
}

/** The translation with the spaces that were around its original. */
function edged(text: string, translation: string): string {
  if (text.trim() === '') return text;
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [after = ''] = /\s*$/.exec(text) ?? [];
  return `${before}${translation.trim()}${after}`;
}
