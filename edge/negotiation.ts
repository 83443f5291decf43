/**
 * Which representation an Accept field asks for (RFC 9110 §12.5.1). Pure.
 *
 * Where it departs from the letter, and why:
 * - A range with parameters that no representation has (`text/markdown;variant=GFM`) still matches its type, below
 *   the bare type in precedence: agents send it and mean markdown. By the letter it matches nothing.
 * - Elements that are no media range say nothing; where one occurs nothing counts as refused, so a garbled field
 *   yields HTML rather than 406. Java's default `*; q=.2` is such a field.
 * - `q=.5` and `q=0.3333` are read as numbers; by the letter they have a digit too few or too many.
 * - A field of more than 1,024 characters or 24 elements counts as garbled: a function has about a millisecond.
 * - The weight may stand before other parameters; what follows it is a parameter like any other.
 */

/** `type/subtype` that is on offer. */
export type MediaType = string;

export interface MediaRange {
  /** Lower case; `*` for any. */
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 0 refuses. */
  readonly weight: number;
  /** Whether its parameters, if it has any, are those of what is offered (`charset=utf-8`). */
  readonly fits: boolean;
  readonly hasParameters: boolean;
}

export interface Accept {
  readonly ranges: readonly MediaRange[];
  /** Whether an element was no media range. */
  readonly isGarbled: boolean;
}

/** Fields that are longer or have more elements are not read. */
export const longestField = 1024;
export const mostElements = 24;

const token = "[!#$%&'*+.^_`|~\\w-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const parameters = new RegExp(`${token}=(?:${token}|${quoted})`, 'g');
/** Nearly every element: no parameter except the weight. It takes a tenth of the time of the next pattern. */
const PLAIN_ELEMENT = /^[ \t]*([\w*.+-]+)\/([\w*.+-]+)(?:[ \t]*;[ \t]*q=([\d.]+))?[ \t]*$/i;
const element = new RegExp(
  `^[ \\t]*(${token})/(${token})((?:[ \\t]*;[ \\t]*(?:${token}=(?:${token}|${quoted}))?)*)[ \\t]*$`,
);

/** Reads an Accept field; several lines of it are joined by commas (RFC 9110 §5.3). */
export function parseAccept(field: string): Accept {
  if (field.length > longestField) return { ranges: [], isGarbled: true };
  // Commas inside of quoted strings separate nothing.
  const elements = field.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) || [];
  if (elements.length > mostElements) return { ranges: [], isGarbled: true };
  const ranges: MediaRange[] = [];
  let isGarbled = false;
  elements.forEach((text) => {
    if (/^[ \t]*$/.test(text)) return;
    const range = parseRange(text);
    if (range) ranges.push(range);
    else isGarbled = true;
  });
  return { ranges: ranges, isGarbled: isGarbled };
}

function parseRange(text: string): MediaRange | undefined {
  const plain = PLAIN_ELEMENT.exec(text);
  if (plain) {
    return rangeOf(plain[1]!, plain[2]!, plain[3] === undefined ? 1 : parseWeight(plain[3]), true, false);
  }
  const parts = element.exec(text);
  if (!parts) return undefined;
  let weight: number | undefined = 1;
  let fits = true;
  let hasParameters = false;
  const pairs = parts[3]!.match(parameters) || [];
  pairs.forEach((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).toLowerCase();
    const value = pair.slice(at + 1);
    if (name === 'q') {
      weight = parseWeight(value);
      return;
    }
    hasParameters = true;
    if (name !== 'charset' || !/^"?utf-8"?$/i.test(value)) fits = false;
  });
  return rangeOf(parts[1]!, parts[2]!, weight, fits, hasParameters);
}

function rangeOf(
  type: string,
  subtype: string,
  weight: number | undefined,
  fits: boolean,
  hasParameters: boolean,
): MediaRange | undefined {
  if (weight === undefined || (type === '*' && subtype !== '*')) return undefined;
  return {
    type: type.toLowerCase(),
    subtype: subtype.toLowerCase(),
    weight: weight,
    fits: fits,
    hasParameters: hasParameters,
  };
}

/** A number from 0 to 1; undefined for anything else. */
export function parseWeight(text: string): number | undefined {
  const weight = /^(?:\d\.?\d*|\.\d+)$/.test(text) ? Number(text) : 2;
  return weight > 1 ? undefined : weight;
}

/** Precedence of a range for a type, from 1 for `*` + `/*` to 5; 0 where it does not match. */
function precedence(range: MediaRange, offered: MediaType): number {
  if (range.type === '*') return 1;
  const slash = offered.indexOf('/');
  if (range.type !== offered.slice(0, slash)) return 0;
  if (range.subtype === '*') return 2;
  if (range.subtype !== offered.slice(slash + 1)) return 0;
  if (!range.fits) return 3;
  return range.hasParameters ? 5 : 4;
}

/**
 * The offer that the field prefers, or undefined if it refuses all offers. At equal weight, a named type
 * beats one that a wildcard covers. Of two named types, the first in the field wins: agents send
 * `text/markdown, text/html, *` + `/*` and mean it. Of two types that a
 * wildcard covers, the first on offer wins.
 */
export function choose(accept: Accept, offers: readonly MediaType[]): MediaType | undefined {
  if (accept.ranges.length === 0) return offers[0];
  let chosen: MediaType | undefined;
  let best = { weight: 0, isNamed: false, place: 0 };
  offers.forEach((offer) => {
    const claim = claimOf(accept.ranges, offer);
    if (!claim || claim.weight === 0) return;
    if (chosen === undefined || outranks(claim, best)) {
      chosen = offer;
      best = claim;
    }
  });
  return chosen === undefined && accept.isGarbled ? offers[0] : chosen;
}

interface Claim {
  readonly weight: number;
  readonly isNamed: boolean;
  /** Where its range stands in the field. */
  readonly place: number;
}

/**
 * The weight of an offer: the most specific range that matches decides, and among equal ranges the greater
 * weight.
 */
function claimOf(ranges: readonly MediaRange[], offer: MediaType): Claim | undefined {
  let claim: Claim | undefined;
  let highest = 0;
  ranges.forEach((range, place) => {
    const rank = precedence(range, offer);
    if (rank === 0 || rank < highest) return;
    if (claim && rank === highest && range.weight <= claim.weight) return;
    highest = rank;
    claim = { weight: range.weight, isNamed: rank > 2, place: place };
  });
  return claim;
}

function outranks(claim: Claim, other: Claim): boolean {
  if (claim.weight !== other.weight) return claim.weight > other.weight;
  if (claim.isNamed !== other.isNamed) return claim.isNamed;
  return claim.isNamed && claim.place < other.place;
}
