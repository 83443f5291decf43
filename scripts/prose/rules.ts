/** The rules of plain English that a program can check. CONTRIBUTING.md explains them. */

interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Patterns for whole sentences. Code is removed before, and upper and lower case make no difference. */
export const bannedPhrases: readonly BannedPhrase[] = [
  {
    pattern: /^(?:What|Whose|Whom) (?!it does)(?!.*\?$)/,
    instead: 'begin with the thing itself: a noun or a verb',
  },
  { pattern: /^That (?:there|it|a|an|the|is)\b(?!.*\?$)/, instead: 'begin with the thing itself' },
  { pattern: /\b(?:whoever|whomever)\b/i, instead: 'name the actor: the caller, the user, the operator' },
  { pattern: /\bnobody\b/i, instead: 'no one, or name the actor' },
  { pattern: /\bsomebody\b/i, instead: 'someone, or name the actor' },
  { pattern: /\banybody\b/i, instead: 'anyone, or name the actor' },
  { pattern: /\bas good as\b/i, instead: 'say what happens' },
  { pattern: /\b(?:is|are|was|were|be|been) told\b/i, instead: 'is notified, receives, shows' },
  { pattern: /\btold (?:of|apart|by)\b/i, instead: 'report, distinguish' },
  { pattern: /\btells? of\b/i, instead: 'report, describe' },
  { pattern: /\bwhat (?:dies|hangs|lies|stands)\b/i, instead: 'name the thing' },
  { pattern: /\bthat there is (?:none|no)\b/i, instead: 'if … does not exist' },
  { pattern: /\bthere is (?:none|nothing to)\b/i, instead: 'no … exists; say what happens' },
  { pattern: /\b(?:for which|by which|in which|with which|of which) that\b/i, instead: 'two sentences' },
  { pattern: /\bwhich that\b/i, instead: 'two sentences' },
  { pattern: /\b(?:by|of|with|to|from) whatever\b/i, instead: 'any' },
  { pattern: /\bwhatever\b/i, instead: 'any, or name the thing' },
  { pattern: /\b(?:gives?|gave|given|giving) way\b/i, instead: 'is replaced by' },
  { pattern: /\bis of another\b/i, instead: 'belongs to another' },
  { pattern: /\bbegun\b/i, instead: 'started' },
  { pattern: /\bthose of before\b/i, instead: 'the earlier ones' },
  { pattern: /\bbeside (?:what|that|it|them)\b/i, instead: 'in addition to' },
  { pattern: /\bwhat of\b/i, instead: 'the part of' },
  { pattern: /\bstands? for itself\b/i, instead: 'say what it does' },
  { pattern: /\bas ever\b/i, instead: 'as before' },
  { pattern: /\bthe like\b/i, instead: 'name the cases' },
  { pattern: /\ball the same\b/i, instead: 'anyway' },
  { pattern: /\bhow ever often\b/i, instead: 'however often' },
];

/** The maximum length of a sentence in words. Code counts as one word. */
export const MAX_WORDS = { markdown: 34, comment: 38 } as const;
