/** Link headers of lists (RFC 8288). */

/** first, prev and next of one page; `prev` only where pages are counted, since a cursor leads one way. */
export function pageLinks(
  path: string,
  query: Readonly<Record<string, unknown>>,
  page: number,
  nextCursor: string | null,
): string {
  const { page: _, cursor, ...filters } = query;
  const link = (relation: string, extra: object) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filters, ...extra })) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    return `<${path}?${parameters}>; rel="${relation}"`;
  };
  const links = [link('first', { page: 1 })];
  if (page > 1 && cursor === undefined) links.push(link('prev', { page: page - 1 }));
  if (nextCursor !== null) links.push(link('next', { cursor: nextCursor }));
  return links.join(', ');
}
