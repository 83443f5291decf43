/** The edit distance of two texts. */

/** Levenshtein distance. Returns `most` + 1 as soon as the distance exceeds `most`. */
export function editDistance(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  const from = [...one];
  const to = [...other];
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [above, sign] of from.entries()) {
    const next = [above + 1];
    for (const [at, wanted] of to.entries()) {
      const exchanged = row[at]! + (sign === wanted ? 0 : 1);
      next.push(Math.min(exchanged, row[at + 1]! + 1, next[at]! + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return Math.min(row.at(-1)!, most + 1);
}
