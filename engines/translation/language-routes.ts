/** Finds the language pairs that an engine can translate, directly or through other languages. */

import { lastOf } from '../../shared/checked-access.ts';
import { covers, type EngineDeclaration, primarySubtag } from '../engine.ts';

type Declared = Pick<EngineDeclaration, 'languages' | 'pairs'>;

/** The maximum number of translations in a route. Each translation loses accuracy. After three translations, little of a sentence is correct. */
const MAX_LEGS = 2;

/**
 * Finds the route with the fewest pairs ("en-es"). Returns all its languages from `source` to `target`. Null if there is no route, or if
 * source and target are the same language. Tags that differ only in region or script are the same language.
 */
export function routeBetween(pairs: readonly string[], source: string, target: string): string[] | null {
  const [from, to] = [primarySubtag(source), primarySubtag(target)];
  if (from === to) return null;
  const next = (language: string) =>
    pairs.flatMap((pair) => (pair.startsWith(`${language}-`) ? pair.slice(language.length + 1) : []));
  let routes = [[from]];
  for (let leg = 0; leg < MAX_LEGS; leg += 1) {
    routes = routes.flatMap((route) => next(lastOf(route)).map((language) => [...route, language]));
    const found = routes.find((route) => route.at(-1) === to);
    if (found !== undefined) return found;
  }
  return null;
}

export function reaches({ languages, pairs }: Declared, source: string, target: string): boolean {
  if (primarySubtag(source) === primarySubtag(target)) return false;
  if (pairs !== undefined) return routeBetween(pairs, source, target) !== null;
  return covers(languages, source) && covers(languages, target);
}

export const reachableFrom = (engine: Declared, source: string): string[] =>
  engine.languages === 'any' ? [] : engine.languages.filter((target) => reaches(engine, source, target));
