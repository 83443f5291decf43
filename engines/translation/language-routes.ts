/** From which language an engine reaches which others: directly, or by way of others that it knows. */
import { type EngineDeclaration, primarySubtag } from '../engine.ts';

type Declared = Pick<EngineDeclaration, 'languages' | 'pairs'>;

/** Each language between costs accuracy; with three legs little is left of a sentence. */
const MOST_LEGS = 2;

/**
 * The languages from `source` to `target`, both included, by the fewest of the pairs ("en-es"). Null where no way leads there,
 * or both are one language: regions and scripts are accents.
 */
export function routeBetween(pairs: readonly string[], source: string, target: string): string[] | null {
  const [from, to] = [primarySubtag(source), primarySubtag(target)];
  if (from === to) return null;
  const next = (language: string) =>
    pairs.map((pair) => pair.split('-')).flatMap(([one, other]) => (one === language ? other! : []));
  let routes = [[from]];
  for (let leg = 0; leg < MOST_LEGS; leg += 1) {
    routes = routes.flatMap((route) => next(route.at(-1)!).map((language) => [...route, language]));
    const arrived = routes.find((route) => route.at(-1) === to);
    if (arrived !== undefined) return arrived;
  }
  return null;
}

/** Whether the engine translates from one language into the other, both BCP 47 tags. */
export function reaches({ languages, pairs }: Declared, source: string, target: string): boolean {
  if (primarySubtag(source) === primarySubtag(target)) return false;
  if (pairs !== undefined) return routeBetween(pairs, source, target) !== null;
  return languages === 'any' || [source, target].every((tag) => knows(languages, tag));
}

/** The languages that the engine declares and reaches from `source`. */
export const reachableFrom = (engine: Declared, source: string): string[] =>
  engine.languages === 'any' ? [] : engine.languages.filter((target) => reaches(engine, source, target));

const knows = (languages: readonly string[], tag: string) =>
  languages.some((one) => primarySubtag(one) === primarySubtag(tag));
