/* A plugin of Swagger UI that resolves references. */

/**
 * Swagger UI itself reads the whole document anew for each operation that is opened, for seconds. The document
 * refers to nothing but its own components, which takes a millisecond.
 */
export const references = () => ({ fn: { resolveSubtree } });

async function resolveSubtree(document, path, { baseDoc }) {
  const part = path.reduce((value, name) => value?.[name], document);
  return { errors: [], spec: resolved(part, { document, baseDoc, open: [] }) };
}

/** The value with what it refers to in place of each reference; one that leads to itself stays. */
function resolved(value, context) {
  if (Array.isArray(value)) return value.map((item) => resolved(item, context));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...beside } = value;
  const members = Object.entries(beside).map(([name, member]) => [name, resolved(member, context)]);
  if (typeof $ref !== 'string') return Object.fromEntries(members);
  const { document, baseDoc, open } = context;
  if (open.includes($ref)) return value;
  const inside = { document, baseDoc, open: [...open, $ref] };
  // Swagger UI takes what has a `$$ref` for resolved, and names schemas by it.
  return {
    ...resolved(target(document, $ref), inside),
    ...Object.fromEntries(members),
    $$ref: baseDoc + $ref,
  };
}

/** What a JSON Pointer in a URI's fragment points at (RFC 6901, section 6). */
function target(document, $ref) {
  const names = decodeURIComponent($ref.slice('#/'.length)).split('/');
  return names.reduce((value, name) => value[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
