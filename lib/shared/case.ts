/** Names of files, functions and machines in the two ways in which they are written. */

/** `delete-asset` → `DeleteAsset`. */
export function pascalCase(kebab: string): string {
  return kebab.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** `DeleteAsset` → `delete-asset`. */
export function kebabCase(pascal: string): string {
  return pascal.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
}
