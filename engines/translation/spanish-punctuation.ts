/** The marks that open questions and calls in Spanish. */

/** Looked for from where the closing signs begin alone: from each of many, all that follow would be looked at. */
const CLOSING_MARK = /(?<![?!"'”’»)\]])["'”’»)\]]*([?!])[?!"'”’»)\]]*$/u;
const BEFORE_SENTENCE = /^[\s"'“‘«\p{Pd}…]*/u;
/** "Bueno, qué es?" asks after its comma. */
const BEFORE_QUESTION =
  /^.*, (?=(?:(?:a|con|de|en|para|por) )?(?:qué|quién|quiénes|cuál|cuáles|cuándo|cuánt[oa]s?|dónde|cómo)(?!\p{L}))/u;

/** A Spanish sentence with the mark that opens a question or a call. */
export function opened(sentence: string): string {
  const mark = CLOSING_MARK.exec(sentence)?.[1];
  if (mark === undefined || /[¿¡]/.test(sentence)) return sentence;
  const before = (mark === '?' && BEFORE_QUESTION.exec(sentence)) || BEFORE_SENTENCE.exec(sentence)!;
  const at = before[0].length;
  const isText = /[\p{L}\p{N}]/u.test(sentence[at] ?? '');
  return isText ? `${sentence.slice(0, at)}${mark === '?' ? '¿' : '¡'}${sentence.slice(at)}` : sentence;
}
