/** Which licences packages may have: those that ask for no more than a notice, and MPL-2.0, which asks for its own files. */

/** By SPDX id. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MPL-2.0', 'OFL-1.1', 'Unlicense'],
]);

/**
 * Whether an SPDX expression allows it: every part of an AND, one part of an OR. AND binds before OR (SPDX 2.3, annex D);
 * parentheses go around whole lists of either only, as npm's packages have them.
 */
export function isAllowed(expression: string): boolean {
  const bare = expression.trim().replace(/^\((.*)\)$/, '$1');
  return bare.split(' OR ').some((part) => part.split(' AND ').every((id) => allowed.has(id.trim())));
}
