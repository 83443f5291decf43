/** Measures the difference between texts, and finds the known name that is most similar to a misspelled name. */
import { itemAt, lastOf } from './checked-access.ts';

/** Levenshtein distance. Returns `limit` + 1 as soon as the distance exceeds `limit`. */
export function editDistance(one: string, other: string, limit: number): number {
  const from = [...one];
  const to = [...other];
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [above, sign] of from.entries()) {
    const next = [above + 1];
    for (const [at, wanted] of to.entries()) {
      const exchanged = itemAt(row, at) + (sign === wanted ? 0 : 1);
      next.push(Math.min(exchanged, itemAt(row, at + 1) + 1, itemAt(next, at) + 1));
    }
    if (Math.min(...next) > limit) return limit + 1;
    row = next;
  }
  return Math.min(lastOf(row), limit + 1);
}

/** Longer names are not compared, because all names of the API are shorter. */
const MAX_LENGTH = 64;

/** The known name that is most similar. Undefined if more than a third of the letters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const [longer] = known
    .filter((one) => one.startsWith(`${name.toLowerCase()}_`))
    .sort((one, other) => one.length - other.length);
  if (longer !== undefined) return longer;
  const limit = Math.floor(name.length / 3);
  const distances = known.map((one) => ({ one, distance: editDistance(name.toLowerCase(), one, limit) }));
  const [first] = distances.sort((one, other) => one.distance - other.distance);
  return first && first.distance <= limit ? first.one : undefined;
}
