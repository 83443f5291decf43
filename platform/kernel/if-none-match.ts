/** RFC 9110 §13.1.2: whether If-None-Match, a list of entity tags or `*`, contains this tag. Compares weakly. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const opaque = tag.trim().replace(/^W\//, '');
    return opaque === '*' || opaque === etag;
  });
}
