/** The licenses that packages may have: notice-only licenses, and MPL-2.0, which covers only its own files. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MPL-2.0', 'OFL-1.1', 'Unlicense'],
]);

/** Packages that are allowed although their license is not in the list, with the reason. */
const exceptions: readonly (readonly [packages: RegExp, reason: string])[] = [
  [/^@img\/sharp-/, 'libvips is LGPL-3.0-or-later: a replaceable shared library, on laptops only'],
  [/^reserved$/, 'MIT, named under `licenses`, as packages did before 2014'],
  [/^format$/, 'MIT, as its README says; its package.json names no license'],
  [/^uri-templates$/, 'public domain, as its README says; it only lints the OpenAPI document'],
];

/** The members of a CycloneDX component that are used here: https://cyclonedx.org/docs/1.5/json/#components */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

export const refusedLicenses = (components: readonly Component[]): string[] =>
  components
    .filter((one) => !exceptions.some(([packages]) => packages.test(one.name)))
    .filter((one) => !isAllowed(licenseOf(one)))
    .map((one) => `${one.name}@${one.version}: the license ${licenseOf(one) || '(none)'} is not allowed`);

const licenseOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');

/**
 * Whether an SPDX expression permits an allowed license: all parts of an AND, one part of an OR. AND binds before OR
 * (SPDX 2.3, annex D). Parentheses are expected only around the whole expression, as npm packages write them.
 */
const isAllowed = (expression: string): boolean =>
  expression
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((part) => part.split(' AND ').every((id) => allowed.has(id.trim())));
