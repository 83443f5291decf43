/** Adds the marks that open questions and exclamations in Spanish. */

/** The lookbehind starts the match only at the first closing mark. Otherwise many marks would take quadratic time. */
const CLOSING_MARK = /(?<![?!"'”’»)\]])["'”’»)\]]*([?!])[?!"'”’»)\]]*$/u;
const BEFORE_SENTENCE = /^[\s"'“‘«\p{Pd}…]*/u;
/** In "Bueno, qué es?", the question starts after the comma. */
const BEFORE_QUESTION =
  /^.*, (?=(?:(?:a|con|de|en|para|por) )?(?:qué|quién|quiénes|cuál|cuáles|cuándo|cuánt[oa]s?|dónde|cómo)(?!\p{L}))/u;

export function addOpeningMark(sentence: string): string {
  const mark = CLOSING_MARK.exec(sentence)?.[1];
  if (mark === undefined || /[¿¡]/.test(sentence)) return sentence;
  const before = (mark === '?' && BEFORE_QUESTION.exec(sentence)) || BEFORE_SENTENCE.exec(sentence);
  const at = before?.[0].length ?? 0;
  const isText = /[\p{L}\p{N}]/u.test(sentence[at] ?? '');
  return isText ? `${sentence.slice(0, at)}${mark === '?' ? '¿' : '¡'}${sentence.slice(at)}` : sentence;
}
