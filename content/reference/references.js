/* A plugin of Swagger UI that resolves references. */

/**
 * By default, Swagger UI reads the whole document for each opened operation, which takes seconds. This document refers only to its own
 * components, so this plugin resolves the references in a millisecond.
 */
export const references = () => ({ fn: { resolveSubtree } });

async function resolveSubtree(document, path, { baseDoc }) {
  const part = path.reduce((value, name) => value?.[name], document);
  return { errors: [], spec: resolved(part, { document, baseDoc, open: [] }) };
}

/** Replaces each reference in the value by its target. Keeps a reference inside its own target, because the result would be endless. */
function resolved(value, context) {
  if (Array.isArray(value)) return value.map((item) => resolved(item, context));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...beside } = value;
  const members = Object.entries(beside).map(([name, member]) => [name, resolved(member, context)]);
  if (typeof $ref !== 'string') return Object.fromEntries(members);
  const { document, baseDoc, open } = context;
  if (open.includes($ref)) return value;
  const inside = { document, baseDoc, open: [...open, $ref] };
  // A `$$ref` tells Swagger UI that the value is resolved, and how the schema is named.
  return {
    ...resolved(target(document, $ref), inside),
    ...Object.fromEntries(members),
    $$ref: baseDoc + $ref,
  };
}

/** Returns the target of a JSON Pointer in a URI's fragment (RFC 6901, section 6). */
function target(document, $ref) {
  const names = decodeURIComponent($ref.slice('#/'.length)).split('/');
  return names.reduce((value, name) => value[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
