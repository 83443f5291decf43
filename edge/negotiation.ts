/**
 * Chooses the representation for an Accept field (RFC 9110 §12.5.1). Pure.
 *
 * It differs from the standard as follows:
 * - A range with parameters that no representation has (`text/markdown;variant=GFM`) still matches its type, with lower
 *   precedence than the type without parameters. Agents send such a range and mean Markdown. By the standard, it would
 *   match nothing.
 * - Elements that are not media ranges are ignored. A field with such an element refuses no type. So a malformed field
 *   gets HTML instead of 406. Java's default `*; q=.2` is such a field.
 * - `q=.5` and `q=0.3333` are read as numbers. The standard requires a digit before the point and allows three after it.
 * - A field of more than 1,024 characters or 24 elements counts as malformed, to limit the run time of the function.
 * - The weight may come before other parameters. Parameters after the weight count like all others.
 */
export type MediaType = string;

export interface MediaRange {
  /** In lower case; `*` matches any type. */
  readonly type: string;
  readonly subtype: string;
  /** From 0 to 1. The weight 0 refuses the type. */
  readonly weight: number;
  /** Whether the range has no parameters, or those of the offered type (`charset=utf-8`). */
  readonly fits: boolean;
  readonly hasParameters: boolean;
}

export interface Accept {
  readonly ranges: readonly MediaRange[];
  /** Whether an element was not a media range. */
  readonly isGarbled: boolean;
}

/** The maximum length of a field in characters. A longer field counts as malformed. */
export const longestField = 1024;
/** The maximum number of elements of a field. A field with more elements counts as malformed. */
export const mostElements = 24;

const token = "[!#$%&'*+.^_`|~\\w-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const parameters = new RegExp(`${token}=(?:${token}|${quoted})`, 'g');
/** Matches elements without parameters except the weight, as almost all are. Takes a tenth of the time of `element`. */
const PLAIN_ELEMENT = /^[ \t]*([\w*.+-]+)\/([\w*.+-]+)(?:[ \t]*;[ \t]*q=([\d.]+))?[ \t]*$/i;
/** White space may match only after each part. If it could also match before, the time would double with each `;`. */
const element = new RegExp(
  `^[ \\t]*(${token})/(${token})[ \\t]*((?:;[ \\t]*(?:${token}=(?:${token}|${quoted})[ \\t]*)?)*)$`,
);

/** Parses an Accept field. Several lines of the field are joined by commas (RFC 9110 §5.3). */
export function parseAccept(field: string): Accept {
  if (field.length > longestField) return { ranges: [], isGarbled: true };
  // Commas inside quoted strings do not separate elements.
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

type ParsedRange = Omit<MediaRange, 'weight'> & { readonly weight: number | undefined };

function parseRange(text: string): MediaRange | undefined {
  const plain = PLAIN_ELEMENT.exec(text);
  if (plain) {
    const weight = plain[3] === undefined ? 1 : parseWeight(plain[3]);
    return rangeOf({ type: plain[1]!, subtype: plain[2]!, weight: weight, fits: true, hasParameters: false });
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
  return rangeOf({
    type: parts[1]!,
    subtype: parts[2]!,
    weight: weight,
    fits: fits,
    hasParameters: hasParameters,
  });
}

function rangeOf(found: ParsedRange): MediaRange | undefined {
  const weight = found.weight;
  if (weight === undefined || (found.type === '*' && found.subtype !== '*')) return undefined;
  return {
    type: found.type.toLowerCase(),
    subtype: found.subtype.toLowerCase(),
    weight: weight,
    fits: found.fits,
    hasParameters: found.hasParameters,
  };
}

/** Returns a number from 0 to 1, or undefined for any other text. */
export function parseWeight(text: string): number | undefined {
  const weight = /^(?:\d\.?\d*|\.\d+)$/.test(text) ? Number(text) : 2;
  return weight > 1 ? undefined : weight;
}

/** Returns the precedence of a range for a type, from 1 for `*` + `/*` to 5. Returns 0 if the range does not match. */
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
 * Returns the offer that the field prefers, or undefined if the field refuses all offers. At equal weight, a type that the field names
 * wins over a type that only a wildcard covers. Of two named types, the first in the field wins: agents send `text/markdown, text/html, *`
 * + `/*` and mean Markdown. Of two types that are not named, the first offer wins.
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
  readonly place: number;
}

/**
 * Returns the weight of an offer. The most specific matching range decides. Among equally specific ranges, the greater
 * weight decides.
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
