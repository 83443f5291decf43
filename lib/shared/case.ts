/** Converts names between kebab-case (files) and PascalCase (functions, machines). */

/** `delete-asset` → `DeleteAsset`. */
export function pascalCase(kebab: string): string {
  return kebab.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());
}

/** `DeleteAsset` → `delete-asset`. */
export function kebabCase(pascal: string): string {
  return pascal.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
}
